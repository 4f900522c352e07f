// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/xml.hpp"
#include "sim/timeline.hpp"

namespace breakeven::sim {

namespace {

constexpr double kLeft = 52;    // room for the ranks' names
constexpr double kTop = 66;     // for the title and the machine
constexpr double kLane = 34;    // between two ranks
constexpr double kWidth = 760;  // of the time
constexpr double kRight = 96;   // for when each rank is done
constexpr double kBottom = 62;  // for the axis and the legend

/// By sender; easy to tell apart also for the colour-blind (Okabe and Ito).
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#555555"};

class TimelineDrawing {
 public:
  explicit TimelineDrawing(const Run& run) : run_{run}, end_{std::max<Ticks>(run.trace.end(), 1)} {}

  std::string svg() && {
    const double width = kLeft + kWidth + kRight;
    const double height = y(run_.exchange.procs) + kBottom;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"10\" y=\"22\" font-size=\"14\" fill=\"#111\">{2}</text>\n"
        "<text x=\"10\" y=\"40\" fill=\"#555\">{3}</text>\n",
        width, height, escaped(headline(run_)), escaped(run_.machine));
    draw_skew();
    draw_lanes();
    draw_messages();
    draw_reductions();
    draw_axis();
    return std::move(text_) + "</svg>\n";
  }

 private:
  [[nodiscard]] static double y(int rank) { return kTop + kLane * (rank + 0.5); }
  [[nodiscard]] double x(Ticks time) const {
    return kLeft + kWidth * static_cast<double>(time) / static_cast<double>(end_);
  }
  [[nodiscard]] double bottom() const { return y(run_.exchange.procs); }

  void draw_skew() {
    shade(run_.trace.starts, "begin within", "start");
    shade(run_.trace.done, "skew", "end");
  }

  /// Marks from the first of the ranks' times to the last, with a text at one of these.
  void shade(const std::vector<Ticks>& times, std::string_view what, std::string_view at) {
    const auto [first, last] = std::ranges::minmax(times);
    if (first == last) return;
    text_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#f3e9d2\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"{}\" fill=\"#7a5c00\">{} {}</text>\n",
        x(first), kTop, x(last) - x(first), bottom() - kTop, at == "start" ? x(first) : x(last),
        kTop - 6, at, what, to_text(seconds_of(last - first)));
  }

  void draw_lanes() {
    for (int rank = 0; rank < run_.exchange.procs; ++rank) {
      const Ticks done = run_.trace.done[static_cast<std::size_t>(rank)];
      const Ticks start = run_.trace.starts[static_cast<std::size_t>(rank)];
      text_ += fmt::format(
          "<text x=\"{0}\" y=\"{1:.1f}\" text-anchor=\"end\" fill=\"{2}\" font-size=\"12\">{3}"
          "</text><line x1=\"{4:.1f}\" x2=\"{5:.1f}\" y1=\"{6:.1f}\" y2=\"{6:.1f}\" "
          "stroke=\"#bbb\"/>"
          "<line x1=\"{5:.1f}\" x2=\"{5:.1f}\" y1=\"{7:.1f}\" y2=\"{8:.1f}\" stroke=\"#111\" "
          "stroke-width=\"2\"/><text x=\"{9:.0f}\" y=\"{1:.1f}\" fill=\"#333\">{10}</text>\n",
          kLeft - 10, y(rank) + 4, colour(rank), rank, x(start), x(done), y(rank), y(rank) - 7,
          y(rank) + 7, kLeft + kWidth + 12, to_text(seconds_of(done)));
    }
  }

  void draw_messages() {
    for (std::size_t i = 0; i < run_.trace.messages.size(); ++i) {
      const kernels::Transfer& message = run_.exchange.transfers[i];
      const auto& [begin, end] = run_.trace.messages[i];
      const double from = y(message.source);
      const double to = y(message.to) + (message.to > message.source ? -4 : 4);
      const double length = std::hypot(x(end) - x(begin), to - from);
      const double along_x = (x(end) - x(begin)) / length;
      const double along_y = (to - from) / length;
      text_ += fmt::format(
          "<g stroke=\"{0}\" fill=\"{0}\"><title>{1} → {2}: {3} to {4}</title>"
          "<line x1=\"{5:.1f}\" y1=\"{6:.1f}\" x2=\"{7:.1f}\" y2=\"{8:.1f}\"/>"
          "<path d=\"M{7:.1f} {8:.1f}l{9:.1f} {10:.1f}l{11:.1f} {12:.1f}z\"/></g>\n",
          colour(message.source), message.source, message.to, to_text(seconds_of(begin)),
          to_text(seconds_of(end)), x(begin), from, x(end), to, -7 * along_x - 2.5 * along_y,
          -7 * along_y + 2.5 * along_x, 5 * along_y, -5 * along_x);
    }
  }

  void draw_reductions() {
    for (int rank = 0; rank < run_.exchange.procs; ++rank) {
      for (const Span& span : run_.trace.reductions[static_cast<std::size_t>(rank)]) {
        text_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"8\" fill=\"#111\"/>\n",
            x(span.begin), y(rank) - 4, std::max(1.5, x(span.end) - x(span.begin)));
      }
    }
  }

  void draw_axis() {
    constexpr int kMarks = 5;
    for (int i = 0; i <= kMarks; ++i) {
      const Ticks time = end_ / kMarks * i;
      text_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#777\"/>"
          "<text x=\"{0:.1f}\" y=\"{3:.0f}\" text-anchor=\"middle\" fill=\"#333\">{4}</text>\n",
          x(time), bottom(), bottom() + 5, bottom() + 18, to_text(seconds_of(time)));
    }
    text_ += fmt::format(
        "<text x=\"10\" y=\"{:.0f}\" fill=\"#333\">arrow: a message from its begin to when it is "
        "received  •  bar: reduces  •  mark: done</text>\n",
        bottom() + 44);
  }

  [[nodiscard]] static std::string_view colour(int rank) {
    return kColours.at(static_cast<std::size_t>(rank) % kColours.size());
  }

  const Run& run_;
  Ticks end_;
  std::string text_;
};

}  // namespace

std::string timeline_svg(const Run& run) { return TimelineDrawing{run}.svg(); }

}  // namespace breakeven::sim
