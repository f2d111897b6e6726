import type { Colormap } from '../colour/colormap.ts'
import type { StretchRange } from '../colour/stretch.ts'
import type { Terrain } from '../colour/terrain.ts'
import type { BandPlaces } from '../math/evaluate.ts'
import type { Expression } from '../math/expression.ts'

/** How samples are rendered, as plain values that can be sent to another thread. */
export type Look = BandsLook | ExpressionLook | TerrainLook

interface Stretched {
  /**
   * The values that become black and white, or the ends of a ramp: one for all bands or one for each; default 0 and 255.
   * Categories and intervals look at raw values.
   */
  readonly ranges?: readonly StretchRange[]
  /** Above 1 brightens the middle; default 1. */
  readonly gamma?: number
  /** Colours one band. */
  readonly colormap?: Colormap | null
}

/** One band as gray or through a colormap, or three as red, green and blue. */
export interface BandsLook extends Stretched {
  readonly kind: 'bands'
  /** 0-based bands of the block, one or three; default all that it has. */
  readonly places?: readonly number[]
}

/** The result of an expression, as gray or through a colormap. */
export interface ExpressionLook extends Stretched {
  readonly kind: 'expression'
  readonly expression: Expression
  /** The 0-based band of the block for each name in the expression. */
  readonly places: BandPlaces
}

/** Heights encoded as terrain-RGB, which a map client decodes. */
export interface TerrainLook {
  readonly kind: 'terrain'
  /** The 0-based band of the block; default the first. */
  readonly place?: number
  readonly terrain: Terrain
}
