// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/xml.hpp"
#include "report/parts.hpp"
#include "report/words.hpp"

namespace breakeven::report {

namespace {

// Pixels.
constexpr double kBottom = 40;  // for the sizes
constexpr double kTop = 6;
constexpr double kRight = 10;
constexpr double kLetter = 6.1;  // of a name in an area
constexpr double kLabel = 68;    // length of "processes", more than the height of a single row
constexpr double kGap = 17;      // below the rows with more processes than cores

constexpr std::string_view kTurns = "* more processes than cores";

double length(std::string_view text) { return kLetter * static_cast<double>(text.size()); }

std::string size_title(Collective collective) {
  if (!moves_data(collective)) return "no data";
  return fmt::format("bytes of {}{}", counts_one_block(collective) ? "" : "the ",
                     counted_text(collective));
}

double clamped(double all, std::size_t parts, double least, double most) {
  return std::clamp(all / static_cast<double>(parts), least, most);
}

class Map {
 public:
  Map(const Sheet& sheet, const std::map<std::string, std::string>& short_names)
      : sheet_{sheet},
        short_names_{short_names},
        title_{size_title(sheet.kind.collective)},
        columns_{sheet.sizes.size()},
        rows_{sheet.rows.size()},
        width_{clamped(528, columns_, 16, 36)},  // two maps fit beside each other on a laptop
        height_{clamped(460, rows_, 7, 30)} {
    for (const tuner::Decision* each : sheet.cells) {
      choices_.push_back(each == nullptr ? "" : choice_of(*each));
      if (each != nullptr) longest_s_ = std::max(longest_s_, each->program_time.value);
    }
    if (sheet.rows.back().oversubscribed) gap_ = kGap;
    wide_ = std::max(static_cast<double>(columns_) * width_, length(title_));
    for (std::size_t row = 0; row < rows_; ++row) {
      left_ = std::max(left_, 32 + length(row_text(sheet, row)));
    }
  }

  std::string svg() && {
    const double all_width = left_ + std::max(wide_, gap_ > 0 ? length(kTurns) : 0) + kRight;
    const double all_height = bottom() + kBottom;
    text_ = fmt::format(
        "<svg class=\"map\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "style=\"width:{0:.0f}px;--width:{0:.0f}px\" "
        "role=\"group\" aria-label=\"{2}: choice by message size and processes\">\n",
        all_width, all_height, kCollectives.of(sheet_.kind.collective));
    cells();
    missing();
    doubt();
    breaks();
    program();
    names();
    axes();
    return std::move(text_) + "</svg>\n";
  }

 private:
  [[nodiscard]] double x(std::size_t column) const {
    return left_ + static_cast<double>(column) * width_;
  }
  /// The upper edge: the first row is the lowest.
  [[nodiscard]] double y(std::size_t row) const {
    return kTop + static_cast<double>(rows_ - 1 - row) * height_ +
           (sheet_.rows[row].oversubscribed ? 0 : gap_);
  }
  [[nodiscard]] double bottom() const { return kTop + static_cast<double>(rows_) * height_ + gap_; }
  /// Whether no gap lies between the rows.
  [[nodiscard]] bool joined(std::size_t row, std::size_t other) const {
    return sheet_.rows[row].oversubscribed == sheet_.rows[other].oversubscribed;
  }
  [[nodiscard]] const std::string& choice(std::size_t row, std::size_t column) const {
    return choices_[row * columns_ + column];
  }

  template <typename Draw>
  void for_each_cell(const Draw& draw) {
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t column = 0; column < columns_; ++column) {
        const tuner::Decision* const cell = sheet_.at(row, column);
        if (cell != nullptr) draw(*cell, row, column);
      }
    }
  }

  void cells() {
    text_ += "<g class=\"cells\">";
    for_each_cell([&](const tuner::Decision& cell, std::size_t row, std::size_t column) {
      text_ += fmt::format(
          "<rect class=\"f{}{}\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.4g}\" height=\"{:.4g}\"/>",
          family_of(cell.choice().times.what.variant.algorithm()),
          cell.oversubscribed ? " turns" : "", x(column), y(row), width_, height_);
    });
    text_ += "</g>\n";
  }

  void missing() {
    for (std::size_t cell = 0; cell < choices_.size(); ++cell) {
      if (!choices_[cell].empty()) continue;
      text_ += fmt::format(
          "<rect class=\"missing\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.4g}\" height=\"{:.4g}\"/>",
          x(cell % columns_), y(cell / columns_), width_, height_);
    }
  }

  void doubt() {
    std::string path;
    for_each_cell([&](const tuner::Decision& cell, std::size_t row, std::size_t column) {
      if (cell.certainty == tables::Certainty::decided) return;
      path += fmt::format("M{:.5g} {:.5g}h{:.4g}v{:.4g}h-{:.4g}z", x(column), y(row), width_,
                          height_, width_);
    });
    text_ += fmt::format("<path class=\"doubt\" d=\"{}\"/>\n", path);
  }

  void breaks() {
    std::string path;
    const auto differ = [&](std::size_t row, std::size_t column, std::size_t other_row,
                            std::size_t other_column) {
      const std::string& other = choice(other_row, other_column);
      return !other.empty() && other != choice(row, column);
    };
    for_each_cell([&](const tuner::Decision&, std::size_t row, std::size_t column) {
      if (column + 1 < columns_ && differ(row, column, row, column + 1)) {
        path += fmt::format("M{:.5g} {:.5g}v{:.4g}", x(column + 1), y(row), height_);
      }
      if (row + 1 < rows_ && joined(row, row + 1) && differ(row, column, row + 1, column)) {
        path += fmt::format("M{:.5g} {:.5g}h{:.4g}", x(column), y(row), width_);
      }
    });
    text_ += fmt::format("<path class=\"breaks\" d=\"{}\"/>\n", path);
  }

  struct Run {
    std::size_t row = 0;
    std::size_t first = 0;
    std::size_t length = 0;
  };

  /// The longest run in a row of the neighbouring cells with one choice; all are marked as known.
  Run longest_run(std::size_t from, std::vector<bool>& known) const {
    std::vector<std::size_t> area;
    const auto visit = [&](std::size_t cell) {
      if (known[cell] || choices_[cell] != choices_[from]) return;
      if (!joined(cell / columns_, from / columns_)) return;
      known[cell] = true;
      area.push_back(cell);
    };
    visit(from);
    for (std::size_t next = 0; next < area.size(); ++next) {
      const std::size_t cell = area[next];
      if (cell % columns_ > 0) visit(cell - 1);
      if (cell % columns_ + 1 < columns_) visit(cell + 1);
      if (cell >= columns_) visit(cell - columns_);
      if (cell + columns_ < choices_.size()) visit(cell + columns_);
    }
    std::ranges::sort(area);
    std::vector<Run> runs;
    for (const std::size_t cell : area) {
      const Run one{.row = cell / columns_, .first = cell % columns_, .length = 1};
      const bool goes_on = !runs.empty() && runs.back().row == one.row &&
                           runs.back().first + runs.back().length == one.first;
      if (goes_on)
        ++runs.back().length;
      else
        runs.push_back(one);
    }
    // The middle one of equally long runs.
    const std::size_t longest = std::ranges::max(runs, {}, &Run::length).length;
    std::erase_if(runs, [&](const Run& each) { return each.length < longest; });
    return runs[runs.size() / 2];
  }

  /// Writes a name in each area, the longest that fits.
  void names() {
    constexpr double kLeastHeight = 13;
    text_ += "<g class=\"names\">";
    std::vector<bool> known(choices_.size(), false);
    for (std::size_t cell = 0; cell < choices_.size(); ++cell) {
      if (known[cell] || choices_[cell].empty()) continue;
      const std::string& variant = choices_[cell];
      const Run run = longest_run(cell, known);
      const auto short_name = short_names_.find(variant);
      if (variant == kNative || short_name == short_names_.end()) continue;
      const double room = static_cast<double>(run.length) * width_ - 6;
      const auto fits = [&](const std::string& name) {
        return height_ >= kLeastHeight && length(name) <= room;
      };
      const std::array<std::string, 2> tried{display_name(variant), short_name->second};
      const auto name = std::ranges::find_if(tried, fits);
      if (name == tried.end()) continue;
      text_ += fmt::format("<text x=\"{:.5g}\" y=\"{:.5g}\">{}</text>",
                           x(run.first) + static_cast<double>(run.length) * width_ / 2,
                           y(run.row) + height_ / 2 + 4, escaped(*name));
    }
    text_ += "</g>\n";
  }

  void program() {
    if (longest_s_ == 0) return;
    text_ += "<g class=\"program\">";
    for_each_cell([&](const tuner::Decision& cell, std::size_t row, std::size_t column) {
      const double share = cell.program_time.value / longest_s_;
      if (share == 0) return;
      text_ += fmt::format("<circle cx=\"{:.5g}\" cy=\"{:.5g}\" r=\"{:.3g}\"/>",
                           x(column) + width_ / 2, y(row) + height_ / 2,
                           std::max(1.5, 0.48 * std::min(width_, height_) * std::sqrt(share)));
    });
    text_ += "</g>\n";
  }

  void axes() {
    const double below = bottom();
    const auto each_of = [](double cell, double room) {
      return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(room / cell)));
    };
    text_ += "<g class=\"axis\">";
    for (std::size_t i = 0; i < columns_; i += each_of(width_, 31)) {
      text_ += fmt::format("<text x=\"{:.5g}\" y=\"{:.5g}\">{}</text>", x(i) + width_ / 2,
                           below + 15, short_bytes(sheet_.sizes[i]));
    }
    for (std::size_t i = 0; i < rows_; i += each_of(height_, 12)) {
      text_ += fmt::format("<text class=\"procs\" x=\"{:.5g}\" y=\"{:.5g}\">{}</text>", left_ - 7,
                           y(i) + height_ / 2 + 4, row_text(sheet_, i));
    }
    if (gap_ > 0) {
      const auto top =
          static_cast<double>(std::ranges::count(sheet_.rows, true, &Row::oversubscribed));
      text_ += fmt::format("<text class=\"turns\" x=\"{:.5g}\" y=\"{:.5g}\">{}</text>", left_,
                           kTop + top * height_ + 12, kTurns);
    }
    text_ += fmt::format(
        "<text class=\"title\" x=\"{:.5g}\" y=\"{:.5g}\">{}</text>"
        "<text class=\"title\" transform=\"translate(12 {:.5g}) "
        "rotate(-90)\">processes</text></g>\n",
        left_ + wide_ / 2, below + 33, title_, std::max(kLabel / 2, (kTop + below) / 2));
  }

  const Sheet& sheet_;
  const std::map<std::string, std::string>& short_names_;
  std::string title_;  // below the sizes
  std::size_t columns_;
  std::size_t rows_;
  double left_ = 64;  // room for the numbers of processes
  double gap_ = 0;
  double width_;  // of a cell
  double height_;
  double wide_ = 0;  // the cells together, or the title below them where it is wider
  std::vector<std::string> choices_;  // by cell; empty where nothing was measured
  double longest_s_ = 0;              // of the program's times
  std::string text_;
};

}  // namespace

std::string map_svg(const Sheet& sheet, const std::map<std::string, std::string>& short_names) {
  return Map{sheet, short_names}.svg();
}

}  // namespace breakeven::report
