import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useMap } from '../../map/map-context.tsx'
import { texts } from '../../texts.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { FilterForm } from './filter-form.tsx'
import { filtersToSearch, parseFilters, toSearchInput, type ExploreFilters } from './filters.ts'
import { SceneList } from './scene-list.tsx'
import styles from './explore.module.css'
import { sceneKey, toFootprints } from './scenes.ts'
import { useSceneSearch } from './use-scene-search.ts'

const max_scenes = 500

/** Search of the catalogues in the part of the world that the map shows. */
export function Explore() {
  const map = useMap()
  const navigate = useNavigate()
  const filters = parseFilters(useSearch({ strict: false }))
  const search = useSceneSearch()
  const [hovered, setHovered] = useState<string | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set())
  const footprints = useMemo(() => toFootprints(search.scenes), [search.scenes])

  const change = (next: ExploreFilters): void => {
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...filtersToSearch(next) }),
      replace: true,
    })
  }
  const run = (): void => {
    const bounds = map?.getBounds()
    if (!bounds) return
    const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))
    const [west, east] = [clamp(bounds.getWest(), 180), clamp(bounds.getEast(), 180)]
    search.start(toSearchInput(filters, [west, clamp(bounds.getSouth(), 90), east, clamp(bounds.getNorth(), 90)], max_scenes)) // prettier-ignore
  }
  const toggle = (key: string): void => setSelected((previous) => new Set(previous).symmetricDifference(new Set([key])))

  return (
    <section className={styles['explore']} aria-labelledby="explore-title">
      <header className={styles['header']}>
        <h1 id="explore-title">{texts.explore.title}</h1>
        <FilterForm filters={filters} onChange={change} onSearch={run} isRunning={search.state === 'running'} />
      </header>
      {search.state === 'failed' && <ProblemNote error={search.error} onRetry={run} />}
      <SceneList
        scenes={search.scenes}
        state={search.state}
        hovered={hovered}
        selected={selected}
        onHover={setHovered}
        onToggle={(scene) => toggle(sceneKey(scene))}
      />
      <FootprintLayer
        id="scenes"
        footprints={footprints}
        hovered={hovered}
        selected={selected}
        onHover={setHovered}
        onSelect={toggle}
      />
    </section>
  )
}
