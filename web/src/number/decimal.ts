/** A finite number as its shortest exact decimal: digits × 10^exponent, e.g. 4.1e6 = 41 × 10^5. */
interface Decimal {
  negative: boolean;
  /** Digits without leading or trailing zeros; '0' for zero. */
  digits: string;
  exponent: number;
}

export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return {
    negative: value < 0,
    digits: whole + fraction,
    exponent: Number(exponent) - fraction.length,
  };
}

/** Plain digits of a decimal, never with an exponent: 41 × 10^-3 is '0.041'. */
export function plainDigits({ negative, digits, exponent }: Decimal): string {
  const sign = negative && digits !== '0' ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(digits === '0' ? 0 : exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
