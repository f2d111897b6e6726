import type { ExploreFilters } from './filters.ts'
import { cloudOf, creditsOf, gsdOf, type Scene } from './scenes.ts'

/** The filters that hide scenes of an answer. */
export const hidingFilters = {
  maxCloud: (scene: Scene, most: number) => (cloudOf(scene) ?? 0) <= most,
  maxGsd: (scene: Scene, most: number) => (gsdOf(scene) ?? Infinity) <= most,
  maxCredits: (scene: Scene, most: number) => creditsOf(scene) <= most,
} as const

export type HidingFilter = keyof typeof hidingFilters
const names = Object.keys(hidingFilters) as HidingFilter[]

const isShown = (scene: Scene, filters: ExploreFilters, wanted: readonly HidingFilter[]): boolean =>
  wanted.every((name) => filters[name] === null || hidingFilters[name](scene, filters[name]))

export const hideScenes = (scenes: readonly Scene[], filters: ExploreFilters): Scene[] =>
  scenes.filter((scene) => isShown(scene, filters, names))

/** The filter without which most scenes would be shown, and how many more; null if none hides any. */
export function findHidingFilter(
  scenes: readonly Scene[],
  filters: ExploreFilters,
): { readonly name: HidingFilter; readonly count: number } | null {
  const shown = hideScenes(scenes, filters).length
  const gains = names.map((name) => {
    const others = names.filter((other) => other !== name)
    return { name, count: scenes.filter((scene) => isShown(scene, filters, others)).length - shown }
  })
  const [best] = gains.toSorted((left, right) => right.count - left.count)
  return best && best.count > 0 ? best : null
}
