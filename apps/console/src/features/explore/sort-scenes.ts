import { cloudOf, creditsOf, gsdOf, timeOf, type Scene } from './scenes.ts'

const sorts = {
  newest: (scene: Scene) => -Date.parse(timeOf(scene) ?? ''),
  oldest: (scene: Scene) => Date.parse(timeOf(scene) ?? ''),
  cloud: (scene: Scene) => cloudOf(scene) ?? NaN,
  price: creditsOf,
  gsd: (scene: Scene) => gsdOf(scene) ?? NaN,
} as const

export type Sort = keyof typeof sorts

export const isSort = (value: unknown): value is Sort => typeof value === 'string' && Object.hasOwn(sorts, value)

/** Scenes without the property come last. */
export function sortScenes(scenes: readonly Scene[], sort: Sort): Scene[] {
  const rank = (scene: Scene): number => {
    const value = sorts[sort](scene)
    return Number.isNaN(value) ? Infinity : value
  }
  return scenes.toSorted((left, right) => {
    const [a, b] = [rank(left), rank(right)]
    return a === b ? 0 : a - b
  })
}
