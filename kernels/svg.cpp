// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/print.hpp"
#include "kernels/timeline.hpp"

namespace breakeven::kernels {

namespace {

constexpr double kLeft = 46;      // room for the ranks' names
constexpr double kTop = 54;       // for the title and the steps' numbers
constexpr double kLane = 40;      // between two ranks
constexpr double kArrow = 64;     // a column without its labels
constexpr double kCharacter = 6;  // of a label
constexpr double kBottom = 36;    // for the legend

/// By sender; easy to tell apart also for the colour-blind (Okabe and Ito).
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#555555"};

/// A rank's messages in a step: the same blocks to one or several others.
struct Sending {
  int rank;
  int step;
  std::string blocks;
  friend auto operator<=>(const Sending&, const Sending&) = default;
};

std::string to_text(std::span<const BlockRange> ranges) {
  std::string text;
  for (const auto& [first, count] : ranges) {
    if (count == 0) continue;
    if (!text.empty()) text += ',';
    text += count == 1 ? fmt::format("{}", first) : fmt::format("{}–{}", first, first + count - 1);
  }
  return text;
}

/// The step in which each message moves if every message takes one.
std::vector<int> steps_of(const Exchange& exchange) {
  const std::vector<double> one(exchange.transfers.size(), 1);
  const Timeline drawn = timeline(exchange, one);
  return {drawn.begins.begin(), drawn.begins.end()};
}

class Drawing {
 public:
  Drawing(const Title& title, std::span<const Schedule> world)
      : title_{title}, exchange_{make_exchange(title.problem, world)}, steps_{steps_of(exchange_)} {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Transfer& message = exchange_.transfers[i];
      // Of one block nothing need be said: every message carries it.
      const std::string blocks =
          exchange_.blocks == 1 ? "" : to_text(exchange_.blocks_of(message.carried));
      receivers_[{message.source, steps_[i], blocks}].insert(message.to);
    }
    lay_out();
  }

  std::string svg() && {
    const std::string title = title_.text(exchange_.blocks);
    const double title_width = 8.6 * static_cast<double>(title.size());
    const double width = std::max({columns_.back(), title_width, 400.0}) + 20;
    const double height = y(exchange_.procs - 1) + kLane + kBottom;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\" "
        "font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"10\" y=\"20\" font-size=\"14\" fill=\"#111\">{2}</text>\n",
        width, height, title);
    draw_lanes();
    draw_messages();
    draw_labels();
    draw_reductions();
    text_ += fmt::format(
        "<text x=\"10\" y=\"{:.0f}\" fill=\"#333\">{}  •  a dot: the rank reduces what has arrived"
        "</text>\n</svg>\n",
        height - 12, exchange_.blocks == 1 ? "label: to whom" : "label: blocks → to whom");
    return std::move(text_);
  }

 private:
  [[nodiscard]] static double y(int rank) { return kTop + 26 + kLane * rank; }
  [[nodiscard]] double begin(int step) const { return columns_[static_cast<std::size_t>(step)]; }
  /// Where the step's labels end and its arrows begin.
  [[nodiscard]] double bend(int step) const { return begin(step + 1) - kArrow; }
  [[nodiscard]] double end(int step) const { return begin(step + 1) - 14; }
  [[nodiscard]] static std::string_view colour(int rank) {
    return kColours.at(static_cast<std::size_t>(rank) % kColours.size());
  }

  [[nodiscard]] std::string label(const Sending& sending, const std::set<int>& to) const {
    std::string text = sending.blocks.empty() ? "→" : sending.blocks + " →";
    if (static_cast<int>(to.size()) == exchange_.procs - 1 && to.size() > 3) return text + " all";
    for (const int rank : to) text += fmt::format(" {}", rank);
    return text;
  }

  /// Makes every column as wide as its longest label.
  void lay_out() {
    const int steps = steps_.empty() ? 0 : 1 + *std::ranges::max_element(steps_);
    std::vector<std::size_t> longest(static_cast<std::size_t>(steps), 0);
    for (const auto& [sending, to] : receivers_) {
      auto& most = longest[static_cast<std::size_t>(sending.step)];
      most = std::max(most, label(sending, to).size());
    }
    columns_.push_back(kLeft);
    for (const std::size_t characters : longest) {
      columns_.push_back(columns_.back() + kArrow + kCharacter * static_cast<double>(characters));
    }
  }

  void draw_lanes() {
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      text_ += fmt::format(
          "<text x=\"34\" y=\"{:.1f}\" text-anchor=\"end\" font-size=\"12\" fill=\"{}\">{}</text>"
          "<line x1=\"{}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ccc\"/>\n",
          y(rank) + 4, colour(rank), rank, kLeft - 6, columns_.back(), y(rank), y(rank));
    }
    for (int step = 0; step + 1 < static_cast<int>(columns_.size()); ++step) {
      text_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{}\" fill=\"#333\">step {}</text>"
          "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{:.1f}\" stroke=\"#eee\"/>\n",
          begin(step) + 4, kTop - 8, step + 1, begin(step), begin(step), kTop - 4,
          y(exchange_.procs - 1) + 20);
    }
  }

  void draw_messages() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Transfer& message = exchange_.transfers[i];
      const int step = steps_[i];
      const double from = y(message.source);
      const double to = y(message.to) + (message.to > message.source ? -3 : 3);
      const double tip = end(step);
      // The head points along the line, which is steep.
      const double length = std::hypot(tip - bend(step), to - from);
      const double along_x = (tip - bend(step)) / length;
      const double along_y = (to - from) / length;
      const std::string_view paint = colour(message.source);
      text_ += fmt::format(
          "<g stroke=\"{0}\" fill=\"{0}\"><title>{1} → {2}: {3}</title>"
          "<line x1=\"{4:.1f}\" y1=\"{5:.1f}\" x2=\"{6:.1f}\" y2=\"{7:.1f}\" stroke-width=\"1.2\"/>"
          "<path d=\"M{6:.1f} {7:.1f}l{8:.1f} {9:.1f}l{10:.1f} {11:.1f}z\"/></g>\n",
          paint, message.source, message.to,
          exchange_.blocks == 1 ? "everything"
                                : "blocks " + to_text(exchange_.blocks_of(message.carried)),
          bend(step), from, tip, to, -7 * along_x - 2.5 * along_y, -7 * along_y + 2.5 * along_x,
          5 * along_y, -5 * along_x);
    }
  }

  void draw_labels() {
    std::map<std::pair<int, int>, int> lines;  // of a rank in a step
    for (const auto& [sending, to] : receivers_) {
      const int line = lines[{sending.rank, sending.step}]++;
      text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n",
                           begin(sending.step) + 4, y(sending.rank) - 4 + 12 * line,
                           colour(sending.rank), label(sending, to));
    }
  }

  void draw_reductions() {
    std::set<std::pair<int, int>> dots;  // rank and step
    for (const RankRound& round : exchange_.rounds) {
      if (round.reduced == 0 || round.sends + round.receives == 0) continue;
      int last = 0;
      const auto after = [&](int message) {
        last = std::max(last, steps_[static_cast<std::size_t>(message)]);
      };
      std::ranges::for_each(exchange_.sent_in(round), after);
      std::ranges::for_each(exchange_.received_in(round), after);
      dots.insert({round.rank, last});
    }
    for (const auto& [rank, step] : dots) {
      text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"#111\"/>\n",
                           begin(step + 1) - 6, y(rank));
    }
  }

  Title title_;
  Exchange exchange_;
  std::vector<int> steps_;  // by message
  std::map<Sending, std::set<int>> receivers_;
  std::vector<double> columns_;  // where each step begins, then the end
  std::string text_;
};

}  // namespace

std::string to_svg(const Title& title, std::span<const Schedule> world) {
  return Drawing{title, world}.svg();
}

}  // namespace breakeven::kernels
