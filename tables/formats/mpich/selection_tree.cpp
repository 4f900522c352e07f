// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/selection_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace breakeven::formats::mpich {

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kNothing = "null";  // json-c allocates 1 kB for each object
constexpr int kDeepest = 64;  // far beyond any real tree; keeps nonsense from filling the stack

/// Reads one text from its beginning; stops at the first fault.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_{text} {}

  ParsedTree parse() {
    ParsedTree parsed{.chain = object(0)};
    pass_over_blanks();
    if (!fault_ && at_ < text_.size()) fail("there is text after the end of the tree");
    parsed.fault = fault_;
    if (fault_) parsed.chain.clear();
    return parsed;
  }

 private:
  Chain object(int depth, bool of_leaf = false) {
    Chain chain;
    if (depth > kDeepest) fail("objects lie too deep in each other");
    expect('{');
    pass_over_blanks();
    if (take('}')) return chain;
    while (!fault_) {
      chain.push_back(member(depth, of_leaf));
      refuse_second(chain);
      pass_over_blanks();
      if (take('}')) break;
      expect(',');
      pass_over_blanks();
      if (take('}')) break;
    }
    return chain;
  }

  Node member(int depth, bool of_leaf) {
    pass_over_blanks();
    Node read{.key = {}, .below = {}, .line = line_};
    read.key = key();
    expect(':');
    pass_over_blanks();
    if (of_leaf && text_.substr(at_).starts_with(kNothing)) {
      at_ += kNothing.size();
    } else if (!fault_) {
      read.below = object(depth + 1, read.leaf());
    }
    return read;
  }

  std::string key() {
    expect('"');
    const std::size_t end = text_.find_first_of("\"\\\n", at_);
    if (fault_) return {};
    if (end == std::string_view::npos) {
      fail("the text ends within a key");
      return {};
    }
    if (text_[end] != '"') {
      fail("a key has an escape or a line's end in it");
      return {};
    }
    std::string key{text_.substr(at_, end - at_)};
    at_ = end + 1;
    std::erase(key, ' ');
    return key;
  }

  void refuse_second(const Chain& chain) {
    const auto earlier = std::find_if(chain.begin(), chain.end() - 1, [&](const Node& each) {
      return each.key == chain.back().key;
    });
    if (fault_ || earlier == chain.end() - 1) return;
    fail(fmt::format("'{}' stands in one object twice, first in line {}: the library keeps one",
                     earlier->key, earlier->line));
  }

  void pass_over_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("/*")) {
        pass_to(rest.find("*/", 2), 2, "a comment has no end");
      } else if (rest.starts_with("//")) {
        pass_to(std::min(rest.find('\n'), rest.size() - 1), 1, "");
      } else if (std::string_view{" \t\v\f\r\n"}.find(rest.front()) != std::string_view::npos) {
        pass_to(0, 1, "");
      } else {
        return;
      }
    }
  }

  /// Moves behind what is found at `end` and is `length` long, counting lines.
  void pass_to(std::size_t end, std::size_t length, std::string_view otherwise) {
    if (end == std::string_view::npos) {
      fail(std::string{otherwise});
      at_ = text_.size();
      return;
    }
    const std::string_view passed = text_.substr(at_, end + length);
    line_ += static_cast<int>(std::ranges::count(passed, '\n'));
    at_ += passed.size();
  }

  bool take(char wanted) {
    if (fault_ || at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (fault_) return;
    pass_over_blanks();
    if (take(wanted) || fault_) return;
    if (at_ >= text_.size()) {
      fail(fmt::format("the text ends where '{}' should stand: it is cut off", wanted));
    } else {
      fail(fmt::format("'{}' should stand where '{}' does", wanted, text_[at_]));
    }
  }

  void fail(std::string reason) {
    if (!fault_) fault_ = {.line = line_, .reason = std::move(reason)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::optional<ReadTable::Fault> fault_{};
};

/// @param leaf  whether its parameters lie below: they have no value
std::string on_one_line(const Chain& chain, bool leaf = false) {
  std::string text = "{";
  for (const Node& each : chain) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("\"{}\": {}", each.key,
                        leaf ? std::string{kNothing} : on_one_line(each.below, each.leaf()));
  }
  return text + "}";
}

void write(std::string& text, const Chain& chain, std::size_t indent, std::size_t column,
           bool leaf = false) {
  const std::string line = on_one_line(chain, leaf);
  if (column + line.size() < kColumns) {  // and a comma
    text += line;
    return;
  }
  text += "{\n";
  for (const Node& each : chain) {
    const std::string head = fmt::format("{:{}}\"{}\": ", "", indent + 1, each.key);
    text += head;
    if (leaf) {
      text += kNothing;
    } else {
      write(text, each.below, indent + 1, head.size(), each.leaf());
    }
    text += &each == &chain.back() ? "\n" : ",\n";
  }
  text += fmt::format("{:{}}}}", "", indent);
}

}  // namespace

bool Node::leaf() const { return key.starts_with("algorithm=") || key.starts_with("composition="); }

ParsedTree parse_tree(std::string_view text) { return Parser{text}.parse(); }

std::string to_text(const Chain& chain) {
  std::string text;
  write(text, chain, 0, 0);
  return text;
}

Node node(std::string key, Chain below) {
  return {.key = std::move(key), .below = std::move(below), .line = 0};
}

void merge_places(Chain& chain) {
  for (Node& each : chain) {
    if (each.key == "comm_hierarchy=node" || each.key == "comm_hierarchy=node_roots") {
      each.key = "comm_hierarchy=flat";
    }
    merge_places(each.below);
  }
}

}  // namespace breakeven::formats::mpich
