import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleCheck, Info } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatCredits, formatDate } from '../../ui/format.ts'
import { Image } from '../../ui/image.tsx'
import type { PartInArea } from './cover.ts'
import { describePart } from './describe-part.ts'
import styles from './explore.module.css'
import type { NumberedScene } from './number-scenes.ts'
import { useRowKeys } from './use-row-keys.ts'
import { cloudOf, creditsOf, gsdOf, sceneKey, thumbnailPath, timeOf, titleOf, type Scene } from './scenes.ts'
import type { MeasurePart } from './use-measure-part.ts'

const row_height = 80
const picture_px = 64

export interface SceneListProps {
  readonly scenes: readonly Scene[]
  readonly hovered: string | null
  /** The scene to bring into view. */
  readonly revealed: string | null
  readonly selected: readonly NumberedScene[]
  /** Keys of scenes that the organization has bought. */
  readonly owned: ReadonlySet<string>
  readonly measurePart: MeasurePart
  readonly onHover: (key: string | null) => void
  readonly onToggle: (key: string) => void
  readonly onOpen: (key: string) => void
}

/** Scenes as rows; only those in view exist. */
export function SceneList(props: SceneListProps) {
  const { scenes, hovered, revealed, selected, owned, measurePart, onHover, onToggle, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: scenes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => row_height,
    overscan: 6,
  })
  useEffect(() => {
    const index = revealed === null ? -1 : scenes.findIndex((scene) => sceneKey(scene) === revealed)
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' })
    // Not when the list changes: it must not jump while scenes arrive.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [revealed])
  const numbers = useMemo(() => new Map(selected.map(({ key, number }) => [key, number])), [selected])
  const { isTabStop, focusRow, press } = useRowKeys(scroller, rows, scenes.length)
  return (
    <div ref={scroller} className={styles['list']} tabIndex={-1}>
      <ul style={{ height: rows.getTotalSize() }} onKeyDown={press}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const scene = scenes[index]!
          const key = sceneKey(scene)
          return (
            <li
              key={key}
              data-scene={key}
              data-index={index}
              onFocus={() => focusRow(index)}
              data-hovered={key === hovered}
              style={{ transform: `translateY(${start}px)` }}
              onPointerEnter={() => onHover(key)}
              onPointerLeave={() => onHover(null)}
            >
              <button
                type="button"
                tabIndex={isTabStop(index)}
                aria-pressed={numbers.has(key)}
                onClick={() => onToggle(key)}
                onFocus={() => onHover(key)}
              >
                <span className={styles['thumbnail']}>
                  <Image path={thumbnailPath(scene)} alt="" width={picture_px} height={picture_px} />
                  {numbers.has(key) && <b className="figures">{numbers.get(key)}</b>}
                </span>
                <SceneSummary scene={scene} part={measurePart(scene)} isOwned={owned.has(key)} />
              </button>
              <button
                type="button"
                className={styles['open']}
                tabIndex={isTabStop(index)}
                aria-label={`${texts.explore.details}: ${scene.id}`}
                onClick={() => onOpen(key)}
              >
                <Info size={16} aria-hidden />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface SceneSummaryProps {
  readonly scene: Scene
  readonly part: PartInArea | null
  readonly isOwned: boolean
}

function SceneSummary({ scene, part, isOwned }: SceneSummaryProps) {
  const [time, cloud, gsd, credits] = [timeOf(scene), cloudOf(scene), gsdOf(scene), creditsOf(scene)]
  const ofScene = cloud === null ? [] : [texts.explore.cloud(cloud)]
  // The price is beside the shorter line: what is known of the area needs the whole width of a small screen.
  return (
    <span className={styles['summary']}>
      <strong>{titleOf(scene)}</strong>
      <span className="figures">
        <small>{[time && formatDate(time), gsd !== null && texts.explore.gsd(gsd)].filter(Boolean).join(' · ')}</small>
        {isOwned ? (
          <Badge icon={CircleCheck} tone="good">
            {texts.explore.owned}
          </Badge>
        ) : (
          <b>
            {credits === null ? texts.explore.notOffered : credits === 0 ? texts.explore.free : formatCredits(credits)}
          </b>
        )}
      </span>
      <small className="figures" title={part ? describePart(part) : scene.id}>
        {(part ? [describePart(part, { isShort: true }), ...(part.cloud ? [] : ofScene)] : [...ofScene, scene.id]).join(
          ' · ',
        )}
      </small>
    </span>
  )
}
