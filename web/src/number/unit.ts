/** Units as the core names them: products and quotients such as `B/s/chip`, `FLOPs/B`, `USD/chip/h`. */
export const isBytes = (unit: string): boolean => /^B(\/(s|chip|token))*$/.test(unit);
export const isRate = (unit: string): boolean => /^(FLOPs|B)\/s/.test(unit);
/** The unit in which the time for a step is said: seconds or parts of one, as training logs have
 * it, never minutes; hours where it takes two of them. */
export const stepTime = 's/step';
export const isTime = (unit: string): boolean => unit === 's' || unit === stepTime;
export const isMoney = (unit: string): boolean => unit.startsWith('USD');

/** The notation of a field's numbers. */
export interface Notation {
  unit: string;
  /** A fraction that is said in percent. */
  percent: boolean;
}
