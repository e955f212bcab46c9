// The drawing of one question on several chips, made of the same marks as that of a training; it loads
// with its view.

export { RivalsDrawing } from './element.ts';
export {
  heightOf,
  layRivals,
  type Amount,
  type Axis,
  type Rival,
  type RivalsData,
  type Standing,
} from './layout.ts';
