import { cloudOf, creditsOf, gsdOf, timeOf, type Scene } from './scenes.ts'

/** The percent of the area that a scene covers; NaN without an area. */
export type MeasureCover = (scene: Scene) => number

type Rank = (scene: Scene, measureCover: MeasureCover) => number

const sorts: Readonly<Record<'newest' | 'oldest' | 'cloud' | 'price' | 'gsd' | 'cover', Rank>> = {
  newest: (scene: Scene) => -Date.parse(timeOf(scene) ?? ''),
  oldest: (scene: Scene) => Date.parse(timeOf(scene) ?? ''),
  cloud: (scene: Scene) => cloudOf(scene) ?? NaN,
  price: (scene: Scene) => creditsOf(scene) ?? NaN,
  gsd: (scene: Scene) => gsdOf(scene) ?? NaN,
  cover: (scene, measureCover) => -measureCover(scene),
}

export type Sort = keyof typeof sorts

export const isSort = (value: unknown): value is Sort => typeof value === 'string' && Object.hasOwn(sorts, value)

/** Scenes without the property come last. */
export function sortScenes(scenes: readonly Scene[], sort: Sort, measureCover: MeasureCover): Scene[] {
  const rank = (scene: Scene): number => {
    const value = sorts[sort](scene, measureCover)
    return Number.isNaN(value) ? Infinity : value
  }
  const ranked = scenes.map((scene) => ({ scene, value: rank(scene) }))
  // Two infinities have no difference.
  ranked.sort((left, right) => (left.value === right.value ? 0 : left.value - right.value))
  return ranked.map(({ scene }) => scene)
}
