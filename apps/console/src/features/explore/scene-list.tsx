import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleCheck, Info } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatCredits, formatDate } from '../../ui/format.ts'
import { Image } from '../../ui/image.tsx'
import type { PartInArea } from './cover.ts'
import { describePart } from './describe-part.ts'
import styles from './explore.module.css'
import type { ScenePass } from './group-scenes.ts'
import type { HidingFilter, SceneFacts } from './hide-scenes.ts'
import type { NumberedScene } from './number-scenes.ts'
import { PassHeader } from './pass-header.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { describeSensor } from './describe-scene.ts'
import { cloudOf, creditsOf, gsdOf, sceneKey, sensorOf, thumbnailPath, timeOf, titleOf, type Scene } from './scenes.ts'
import type { MeasurePart } from './use-measure-part.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const [row_height, header_height] = [56, 32]
const picture_px = 48

export interface SceneListProps extends Omit<SceneRowProps, 'scene' | 'number' | 'tabIndex'> {
  readonly scenes: readonly Scene[]
  /** In the order of the list; null for a list without groups. */
  readonly passes: readonly ScenePass[] | null
  readonly area: AreaGeometry | null
  readonly hovered: string | null
  /** The scene to bring into view. */
  readonly revealed: string | null
  readonly selected: readonly NumberedScene[]
}

type Row = { readonly scene: Scene } | { readonly pass: ScenePass }

const listRows = (scenes: readonly Scene[], passes: readonly ScenePass[] | null): readonly Row[] =>
  passes
    ? passes.flatMap((pass): Row[] => [{ pass }, ...pass.scenes.map((scene) => ({ scene }))])
    : scenes.map((scene) => ({ scene }))

/** Scenes as rows, below a header for each pass if they are grouped; only rows in view exist. */
export function SceneList(props: SceneListProps) {
  const { scenes, passes, area, hovered, revealed, selected, onHover, onToggle, ...shared } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => listRows(scenes, passes), [scenes, passes])
  const heightOf = useCallback((index: number) => ('pass' in rows[index]! ? header_height : row_height), [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: 6,
  })
  // The heights of rows are cached by their number, which another list assigns to other rows.
  useEffect(() => virtual.measure(), [virtual, heightOf])
  useEffect(() => {
    const index = rows.findIndex((row) => revealed !== null && 'scene' in row && sceneKey(row.scene) === revealed)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
    // Not when the list changes: it must not jump while scenes arrive.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [revealed])
  const numbers = useMemo(() => new Map(selected.map(({ key, number }) => [key, number])), [selected])
  const { isTabStop, focusRow, press } = useRowKeys(scroller, virtual, rows.length)
  return (
    <div ref={scroller} className={styles['list']} tabIndex={-1}>
      <ul className={layout['relative']} style={{ height: virtual.getTotalSize() }} onKeyDown={press}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          const place = {
            'data-index': index,
            onFocus: () => focusRow(index),
            style: { height: heightOf(index), transform: `translateY(${start}px)` },
          }
          const tabIndex = isTabStop(index)
          if ('pass' in row)
            return (
              <li className={layout['choice']} key={row.pass.id} data-pass={row.pass.id} {...place}>
                <PassHeader pass={row.pass} area={area} numbers={numbers} tabIndex={tabIndex} onToggle={onToggle} />
              </li>
            )
          const key = sceneKey(row.scene)
          return (
            <li
              className={layout['choice']}
              key={key}
              data-scene={key}
              data-hovered={key === hovered}
              onPointerEnter={() => onHover(key)}
              onPointerLeave={() => onHover(null)}
              {...place}
            >
              <SceneRow
                {...shared}
                scene={row.scene}
                number={numbers.get(key)}
                tabIndex={tabIndex}
                onHover={onHover}
                onToggle={onToggle}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface SceneRowProps {
  readonly scene: Scene
  /** That of the selected scene. */
  readonly number: number | undefined
  readonly tabIndex: 0 | -1
  readonly facts: SceneFacts
  /** The filters that are set and of which a scene does not state the value. */
  readonly listUnstated: (scene: Scene) => readonly HidingFilter[]
  readonly measurePart: MeasurePart
  readonly onHover: (key: string | null) => void
  readonly onToggle: (key: string) => void
  readonly onOpen: (key: string) => void
}

function SceneRow(props: SceneRowProps) {
  const { scene, number, tabIndex, facts, listUnstated, measurePart, onHover, onToggle, onOpen } = props
  const key = sceneKey(scene)
  return (
    <>
      <button
        type="button"
        className={layout['choice']}
        tabIndex={tabIndex}
        aria-pressed={number !== undefined}
        onClick={() => onToggle(key)}
        onFocus={() => onHover(key)}
      >
        <span className={`${layout['relative']} ${styles['thumbnail']}`}>
          <Image path={thumbnailPath(scene)} alt="" width={picture_px} height={picture_px} />
          {number !== undefined && <b className="figures">{number}</b>}
        </span>
        <SceneSummary
          scene={scene}
          part={measurePart(scene)}
          isOwned={facts.owned.has(key)}
          unstated={listUnstated(scene)}
        />
      </button>
      <button
        type="button"
        className={`${layout['center']} ${typography['muted']} ${layout['choice']}`}
        tabIndex={tabIndex}
        aria-label={`${exploreTexts.details}: ${scene.id}`}
        onClick={() => onOpen(key)}
      >
        <Info size={16} aria-hidden />
      </button>
    </>
  )
}

interface SceneSummaryProps {
  readonly scene: Scene
  readonly part: PartInArea | null
  readonly isOwned: boolean
  readonly unstated: readonly HidingFilter[]
}

/** Describes a scene in two lines: its date and resolution, then its cover of the area and its cloud. */
function describeScene(scene: Scene, part: PartInArea | null, unstated: readonly HidingFilter[]): readonly string[] {
  const [time, cloud, gsd, sensor] = [timeOf(scene), cloudOf(scene), gsdOf(scene), sensorOf(scene)]
  const facts = [
    time && formatDate(time),
    gsd !== null && exploreTexts.gsd(gsd),
    unstated.length > 0 && exploreTexts.unstated(unstated.map((name) => exploreTexts.filterNames[name])),
  ]
  const shown = [
    part && describePart(part, { isShort: true }),
    !part?.cloud && cloud !== null && exploreTexts.cloud(cloud),
    !part && sensor && describeSensor(sensor),
  ]
  return [facts, shown].map((list) => list.filter(Boolean).join(' · '))
}

function SceneSummary({ scene, part, isOwned, unstated }: SceneSummaryProps) {
  const credits = creditsOf(scene)
  const [facts, shown] = describeScene(scene, part, unstated)
  // The price is beside the shorter line: the figures of the area need the whole width of a small screen.
  return (
    <span className={styles['summary']}>
      <strong className={`${typography['clip']} ${typography['medium']}`}>{titleOf(scene)}</strong>
      <span className={`${layout['split']} ${typography['small']} figures`}>
        <small className={typography['clip']} title={facts}>
          {facts}
        </small>
        {isOwned ? (
          <Badge icon={CircleCheck} tone="good">
            {exploreTexts.owned}
          </Badge>
        ) : (
          <b className={`${layout['rigid']} ${typography['medium']}`}>
            {credits === null ? exploreTexts.notOffered : credits === 0 ? exploreTexts.free : formatCredits(credits)}
          </b>
        )}
      </span>
      <small className={`${typography['clip']} figures`} title={part ? describePart(part) : scene.id}>
        {shown || scene.id}
      </small>
    </span>
  )
}
