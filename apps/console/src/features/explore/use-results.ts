import { useMemo } from 'react'
import type { ExploreFilters } from './filters.ts'
import { groupByPass, type ScenePass } from './group-scenes.ts'
import { hideScenes, listUnstated, type HidingFilter, type SceneFacts } from './hide-scenes.ts'
import type { Scene } from './scenes.ts'
import { sortScenes } from './sort-scenes.ts'
import type { ExploreSearch } from './use-explore-search.ts'
import { useMeasurePart, type MeasurePart } from './use-measure-part.ts'
import { useOwnedScenes } from './use-owned-scenes.ts'

/** The scenes of a search that are shown, and their measures. */
export interface Results {
  /** Sorted. */
  readonly scenes: readonly Scene[]
  /** The same in groups; null for a list without them. */
  readonly passes: readonly ScenePass[] | null
  readonly facts: SceneFacts
  readonly listUnstated: (scene: Scene) => readonly HidingFilter[]
  readonly measurePart: MeasurePart
}

export function useResults(search: ExploreSearch, filters: ExploreFilters): Results {
  const measurePart = useMeasurePart(filters.area)
  const owned = useOwnedScenes(search.scenes, search.state === 'done')
  const facts = useMemo(
    (): SceneFacts => ({ owned, measureCover: (scene) => measurePart(scene)?.covered ?? null }),
    [owned, measurePart],
  )
  const scenes = useMemo(
    () =>
      sortScenes(
        hideScenes(search.scenes, filters, facts),
        filters.sort,
        (scene) => facts.measureCover(scene) ?? Number.NaN,
      ),
    [search.scenes, filters, facts],
  )
  const passes = useMemo(() => (filters.isGrouped ? groupByPass(scenes) : null), [scenes, filters.isGrouped])
  const unstated = useMemo(() => listUnstated(filters, facts), [filters, facts])
  return { scenes, passes, facts, listUnstated: unstated, measurePart }
}
