// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <variant>

#include "kernels/print.hpp"

namespace breakeven::kernels {

namespace {

constexpr double kRankRadius = 12;  // radius of a rank
constexpr double kCircleMargin = 34;
constexpr double kTitleHeight = 40;  // for the title
constexpr double kLegendWidth = 90;  // to the right
/// By round; easy to tell apart also for the colour-blind (Okabe and Ito).
constexpr std::array kRoundColours{"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#7a5c00", "#555555"};
/// By node of the machine, light enough for dark digits.
constexpr std::array kNodeColours{"#ffffff", "#fdd0a2", "#b2e2c5", "#c6d9f0", "#e7cfe8", "#e5e0b5"};

/// A line between two ranks, in the first round that draws it; both ways where they exchange.
struct Edge {
  int round = 0;
  bool there = false;  ///< from the lower rank to the higher
  bool back = false;
};

class Circle {
 public:
  Circle(const Title& title, std::span<const Schedule> world)
      : title_{title}, procs_{static_cast<int>(world.size())} {
    radius_ = std::max(90.0, procs_ * (2 * kRankRadius + 10) / (2 * std::numbers::pi));
    for (int rank = 0; rank < procs_; ++rank) {
      const auto& rounds = world[static_cast<std::size_t>(rank)].rounds;
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        for (const Comm& each : rounds[i].comm) {
          if (const Send* const send = std::get_if<Send>(&each)) add(rank, send->to.value, i);
        }
      }
    }
  }

  std::string svg(int blocks) && {
    const double title_width = 8.6 * static_cast<double>(title_.text(blocks).size());
    const double size = 2 * (radius_ + kCircleMargin);
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"10\" y=\"20\" font-size=\"14\" fill=\"#111\">{2}</text>\n",
        std::max(size + kLegendWidth, title_width + 20), size + kTitleHeight, title_.text(blocks));
    for (const auto& [ranks, line] : lines_) draw(ranks.first, ranks.second, line);
    for (int rank = 0; rank < procs_; ++rank) draw(rank);
    draw_legend(size);
    return std::move(text_) + "</svg>\n";
  }

 private:
  void add(int from, int to, std::size_t round) {
    const auto [found, is_new] = lines_.try_emplace({std::min(from, to), std::max(from, to)});
    Edge& line = found->second;
    const int number = static_cast<int>(round);
    if (is_new || number < line.round) line.round = number;
    (from < to ? line.there : line.back) = true;
    most_rounds_ = std::max(most_rounds_, line.round + 1);
  }

  /// Rank 0 is at the top, the others follow clockwise.
  [[nodiscard]] std::pair<double, double> centre(int rank) const {
    const double angle = 2 * std::numbers::pi * rank / procs_ - std::numbers::pi / 2;
    const double middle = radius_ + kCircleMargin;
    return {middle + radius_ * std::cos(angle), kTitleHeight + middle + radius_ * std::sin(angle)};
  }

  [[nodiscard]] int node(int rank) const {
    return title_.problem.placement.node_of(Rank{rank}, procs_);
  }
  [[nodiscard]] bool several_nodes() const { return title_.problem.placement.nodes(procs_) > 1; }
  static std::string_view colour(int round) {
    return kRoundColours.at(static_cast<std::size_t>(round) % kRoundColours.size());
  }

  void draw(int low, int high, const Edge& line) {
    const auto [x1, y1] = centre(low);
    const auto [x2, y2] = centre(high);
    const double length = std::hypot(x2 - x1, y2 - y1);
    const double dx = (x2 - x1) / length;
    const double dy = (y2 - y1) / length;
    const bool leaves_node = several_nodes() && node(low) != node(high);
    const double from = kRankRadius + 2;
    text_ += fmt::format(
        "<g stroke=\"{0}\" fill=\"{0}\"><line x1=\"{1:.1f}\" y1=\"{2:.1f}\" x2=\"{3:.1f}\" "
        "y2=\"{4:.1f}\" stroke-width=\"{5}\"/>",
        colour(line.round), x1 + from * dx, y1 + from * dy, x2 - from * dx, y2 - from * dy,
        leaves_node ? 3 : 1.3);
    if (line.there) arrow(x2 - kRankRadius * dx, y2 - kRankRadius * dy, dx, dy);
    if (line.back) arrow(x1 + kRankRadius * dx, y1 + kRankRadius * dy, -dx, -dy);
    text_ += "</g>\n";
  }

  /// A head whose tip is at (x, y), pointing along (dx, dy).
  void arrow(double x, double y, double dx, double dy) {
    text_ +=
        fmt::format("<path stroke=\"none\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}z\"/>", x,
                    y, -9 * dx - 4 * dy, -9 * dy + 4 * dx, 8 * dy, -8 * dx);
  }

  void draw(int rank) {
    const auto [x, y] = centre(rank);
    text_ += fmt::format(
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"{2}\" fill=\"{3}\" stroke=\"#333\"/>"
        "<text x=\"{0:.1f}\" y=\"{4:.1f}\" text-anchor=\"middle\" fill=\"#111\">{5}</text>\n",
        x, y, kRankRadius,
        kNodeColours.at(static_cast<std::size_t>(node(rank)) % kNodeColours.size()), y + 4, rank);
  }

  void draw_legend(double left) {
    double y = kTitleHeight + 20;
    const auto row = [&](std::string_view mark, std::string_view text) {
      text_ += fmt::format("{}<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#333\">{}</text>\n", mark,
                           left + 26, y + 4, text);
      y += 18;
    };
    const int shown = std::min(most_rounds_, static_cast<int>(kRoundColours.size()));
    for (int round = 0; round < shown && most_rounds_ > 1; ++round) {
      const auto draws = [&](const auto& edge) { return edge.second.round == round; };
      if (std::ranges::none_of(lines_, draws)) continue;  // its pairs have met before
      row(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"3\" fill=\"{}\"/>",
                      left, y - 1, colour(round)),
          fmt::format("round {}", round + 1));
    }
    if (!several_nodes()) return;
    const int nodes =
        std::min(title_.problem.placement.nodes(procs_), static_cast<int>(kNodeColours.size()));
    for (int each = 0; each < nodes; ++each) {
      row(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"#333\"/>",
                      left + 9, y, kNodeColours.at(static_cast<std::size_t>(each))),
          fmt::format("node {}", each));
    }
    row("", "bold: network");
  }

  Title title_;
  int procs_;
  double radius_ = 0;
  int most_rounds_ = 0;
  std::map<std::pair<int, int>, Edge> lines_;
  std::string text_;
};

}  // namespace

std::string to_circle_svg(const Title& title, std::span<const Schedule> world) {
  return Circle{title, world}.svg(world.front().blocks);
}

}  // namespace breakeven::kernels
