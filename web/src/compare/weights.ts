// The weights that turn the differences of a product's factors into shares of its own difference.

/** The logarithmic mean of a and b, (b - a) / ln(b / a). */
export function meanOf(a: number, b: number): number {
  const ratio = b / a;
  // Near 1 the quotient of two small numbers is inexact, so the series stands in for it.
  const d = ratio - 1;
  if (Math.abs(d) < 1e-4) return a * (1 + d / 2 - (d * d) / 12);
  return (b - a) / Math.log(ratio);
}

/** The value of a factor before and after. */
interface FactorChange {
  power: 1 | -1;
  from: number;
  to: number;
}

/**
 * The weights of the additive logarithmic-mean Divisia index (LMDI-I), with `mean` the logarithmic
 * mean of the product. They hold for factors that keep their sign and are not 0.
 */
export const logarithmicWeights = (changes: readonly FactorChange[], mean: number): number[] =>
  changes.map(({ power, from, to }) => (power * mean) / meanOf(from, to));

/** Weights for factors that are 0 or change their sign: each factor's difference times the mean of
 *  the others before and after. */
export function midpointWeights(changes: readonly FactorChange[]): number[] {
  const raised = changes.map(({ power, from, to }) =>
    power > 0
      ? { from, to, slope: 1 }
      : { from: 1 / from, to: 1 / to, slope: from === to ? 0 : -1 / (from * to) },
  );
  // One factor after another joins the product of those before.
  const weights: number[] = [];
  let product: { from: number; to: number } | undefined;
  for (const { from, to, slope } of raised) {
    const mine = product ? (product.from + product.to) / 2 : 1;
    const theirs = (from + to) / 2;
    weights.forEach((weight, index) => (weights[index] = weight * theirs));
    weights.push(mine * slope);
    product = { from: from * (product?.from ?? 1), to: to * (product?.to ?? 1) };
  }
  return weights;
}
