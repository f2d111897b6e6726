import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { texts } from '../../texts.ts'
import styles from './explore.module.css'
import { sceneKey, type Scene } from './scenes.ts'
import type { SearchState } from './use-scene-search.ts'

const row_height = 72

export interface SceneListProps {
  readonly scenes: readonly Scene[]
  readonly state: SearchState
  readonly hovered: string | null
  readonly selected: ReadonlySet<string>
  readonly onHover: (key: string | null) => void
  readonly onToggle: (scene: Scene) => void
}

export function SceneList({ scenes, state, hovered, selected, onHover, onToggle }: SceneListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: scenes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => row_height,
    overscan: 6,
  })
  if (state === 'done' && scenes.length === 0) return <NoScenes />
  return (
    <>
      <p className={styles['count']} role="status">
        {state === 'running' ? texts.explore.searching : state === 'done' ? texts.explore.found(scenes.length) : null}
      </p>
      <div ref={scroller} className={styles['list']}>
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const scene = scenes[index]!
            const key = sceneKey(scene)
            return (
              <li key={key} style={{ transform: `translateY(${start}px)` }} data-hovered={key === hovered}>
                <button
                  type="button"
                  aria-pressed={selected.has(key)}
                  onClick={() => onToggle(scene)}
                  onPointerEnter={() => onHover(key)}
                  onPointerLeave={() => onHover(null)}
                  onFocus={() => onHover(key)}
                >
                  <SceneRow scene={scene} />
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}

function SceneRow({ scene: { id, properties, 'service:price': price } }: { scene: Scene }) {
  const time = properties['datetime']
  const cloud = properties['eo:cloud_cover']
  const gsd = properties['gsd']
  return (
    <>
      <strong>{typeof time === 'string' ? time.slice(0, 10) : id}</strong>
      <span className="figures">
        {price.credits === 0 ? texts.explore.free : texts.explore.credits(price.credits ?? 0)}
      </span>
      <small>{id}</small>
      <small className="figures">
        {[typeof gsd === 'number' && texts.explore.gsd(gsd), typeof cloud === 'number' && texts.explore.cloud(cloud)]
          .filter((part) => part !== false)
          .join(' · ')}
      </small>
    </>
  )
}

function NoScenes() {
  return (
    <div className={styles['none']} role="status">
      <p>{texts.explore.none}</p>
      <p>{texts.explore.widen}</p>
    </div>
  )
}
