#pragma once

#include <vector>

#include "haversack/solve.hpp"

/// A flat problem as the tests draw it, and what the solver is asked.
struct Problem {
  std::vector<haversack::Weight> weights;
  std::vector<haversack::Profit> profits;
  haversack::Weight capacity = 0;

  /// Borrows the columns: the problem must outlive it.
  [[nodiscard]] haversack::Instance instance() const {
    haversack::Instance instance;
    instance.size = weights.size();
    instance.weights = weights.data();
    instance.profits = profits.data();
    instance.weight_bits = haversack::all_bits(instance.weights, instance.size);
    instance.profit_bits = haversack::all_bits(instance.profits, instance.size);
    instance.capacity = capacity;
    return instance;
  }

  /// Are the totals of an outcome those of its mask, and within the capacity?
  [[nodiscard]] bool adds_up(const haversack::Outcome& outcome) const {
    haversack::WideProfit profit = 0;
    haversack::Weight weight = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      profit += outcome.mask[i] ? profits[i] : 0;
      weight += outcome.mask[i] ? weights[i] : 0;
    }
    return profit == outcome.value_int && weight == outcome.weight && weight <= capacity;
  }
};
