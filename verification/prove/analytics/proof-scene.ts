import type { Raster } from '../../../packages/raster/src/index.ts'
import type { JudgeComparison } from './compare.ts'

/** A stored scene as an item. */
export interface ProofScene {
  readonly name: string
  readonly path: string
  readonly item_id: string
  readonly cog_url: string
  readonly raster: Raster
  readonly sensor: string
  /** Common names of the bands, in their order; the name where there is none. */
  readonly bands: readonly string[]
}

export interface ProofContext {
  readonly random: () => number
  readonly short: boolean
  readonly scenes: readonly ProofScene[]
  /** Calls an operation by its id. */
  invoke<T>(id: string, input: object): Promise<T>
  execute<T>(method: string, params: object): Promise<T>
}

/** A request to the judge, and the comparison of its answer with the results of the analytics. */
export interface SceneCase {
  readonly request: object
  compare(comparison: JudgeComparison, answer: unknown): void
}
