import { mathml, type TemplateResult } from 'lit';

/** Greek letters by the names that symbols of the core have for them. */
export const greek: Record<string, string> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  eta: 'η',
  theta: 'θ',
  rho: 'ρ',
  mu: 'μ',
  sigma: 'σ',
  Psi: 'Ψ',
};

/**
 * `T_math` becomes T with a subscript, `alpha` α, `B/n` a quotient. Names of more letters than one
 * stand upright, as MathML has it.
 */
export function symbol(name: string): TemplateResult {
  if (name.startsWith('(')) {
    return mathml`<mrow><mo>(</mo>${symbol(name.slice(1, -1))}<mo>)</mo></mrow>`;
  }
  const [, left, sign, right] = /^([^/-]+)([/-])(.+)$/.exec(name) ?? [];
  if (left && sign && right && name !== 'FLOPs/s') {
    return mathml`<mrow>${symbol(left)}<mo>${sign === '-' ? '−' : '/'}</mo>${symbol(right)}</mrow>`;
  }
  if (name.includes(' ')) return mathml`<mrow>${name.split(' ').map(symbol)}</mrow>`;
  const at = name.indexOf('_');
  if (at < 0) return identifier(name);
  return mathml`<msub>${identifier(name.slice(0, at))}<mtext>${name.slice(at + 1)}</mtext></msub>`;
}

function identifier(name: string): TemplateResult {
  return mathml`<mi>${greek[name] ?? name}</mi>`;
}
