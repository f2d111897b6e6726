import { useCallback, useMemo, useState } from 'react'
import { numberScenes, type NumberedScene } from './number-scenes.ts'
import { sceneKey, type Scene } from './scenes.ts'

export interface Selection {
  readonly keys: ReadonlySet<string>
  readonly scenes: readonly Scene[]
  /** The same in the order of their dates. */
  readonly numbered: readonly NumberedScene[]
  readonly toggle: (key: string) => void
  readonly clear: () => void
}

/**
 * The scenes that a person has selected, also those that a later search of another view does not find. With an area, prices are
 * for the area: then only scenes that are found in it count.
 */
export function useSelection(found: readonly Scene[], hasArea: boolean): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Scene>>(() => new Map())
  const byKey = useMemo(() => new Map(found.map((scene) => [sceneKey(scene), scene])), [found])
  const toggle = useCallback(
    (key: string) =>
      setSelected((previous) => {
        const next = new Map(previous)
        const scene = byKey.get(key)
        if (!next.delete(key) && scene) next.set(key, scene)
        return next
      }),
    [byKey],
  )
  const clear = useCallback(() => setSelected(new Map()), [])
  return useMemo(() => {
    const scenes = [...selected].flatMap(([key, scene]) => byKey.get(key) ?? (hasArea ? [] : scene))
    return { keys: new Set(scenes.map(sceneKey)), scenes, numbered: numberScenes(scenes), toggle, clear }
  }, [selected, byKey, hasArea, toggle, clear])
}
