import { ArrowUp, Layers, Plus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Image } from '../../../ui/image.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from '../analyse.module.css'
import { keepItems, readLastItems } from '../state/last-items.ts'
import { ItemPicker } from './item-picker.tsx'
import type { AnalysedItem } from './analysed-item.ts'
import { ItemFootprints } from './item-footprints.tsx'
import type { Sources } from './use-sources.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts
const picture_px = 48

export interface SourceSectionProps {
  readonly ids: readonly string[]
  readonly sources: Sources
  readonly onChange: (ids: readonly string[]) => void
}

/** The items that are read, in their order: in a list and on the map. */
export function SourceSection({ ids, sources, onChange }: SourceSectionProps) {
  const [isPicking, setPicking] = useState(false)
  const [hovered, setHovered] = useState<string | null>(null)
  const { items, missing, error, isLoading, retry } = sources
  const key = ids.join(',')
  useEffect(() => keepItems(key.split(',').filter((id) => id !== '')), [key])
  const remove = (id: string): void => onChange(ids.filter((other) => other !== id))
  const raise = (at: number): void => onChange(ids.toSpliced(at - 1, 2, ids[at]!, ids[at - 1]!))
  return (
    <Section
      title={words.sources}
      actions={
        <Button icon={isPicking ? X : Plus} aria-expanded={isPicking} onClick={() => setPicking(!isPicking)}>
          {isPicking ? words.closePicker : ids.length === 0 ? words.addItems : words.addMore}
        </Button>
      }
    >
      {ids.length === 0 && !isPicking && <NoSources onChange={onChange} />}
      {isLoading && <Skeleton rows={ids.length} height_px={picture_px} />}
      {error !== null && <ProblemNote error={error} onRetry={retry} isRead />}
      {missing.map((id) => (
        <p key={id} role="status" className={layout['spread']}>
          {words.missingItem(id)}
          <Button kind="quiet" icon={X} aria-label={words.removeItem(id)} onClick={() => remove(id)} />
        </p>
      ))}
      {items.length > 0 && (
        <ol className={`${layout['stack2']} ${styles['sources']}`} aria-label={words.sources}>
          {items.map((item) => (
            <SourceRow
              key={item.id}
              item={item}
              at={ids.indexOf(item.id)}
              isHovered={hovered === item.id}
              onHover={setHovered}
              onRaise={raise}
              onRemove={remove}
            />
          ))}
        </ol>
      )}
      {isPicking && <ItemPicker chosen={ids} onChange={onChange} />}
      <ItemFootprints layer="analyse-items" fitKey="analyse" items={items} hovered={hovered} onHover={setHovered} />
    </Section>
  )
}

function NoSources({ onChange }: Pick<SourceSectionProps, 'onChange'>) {
  const [last] = useState(readLastItems)
  return (
    <div className={`${layout['stack12']} ${styles['hint']}`}>
      <Layers size={20} aria-hidden />
      <span>
        {words.noSources} {words.sourcesHelp}
      </span>
      {last.length > 0 && <Button onClick={() => onChange(last)}>{words.chooseLast(last.length)}</Button>}
    </div>
  )
}

interface SourceRowProps {
  readonly item: AnalysedItem
  /** Its place in the order. */
  readonly at: number
  readonly isHovered: boolean
  readonly onHover: (id: string | null) => void
  readonly onRaise: (at: number) => void
  readonly onRemove: (id: string) => void
}

function SourceRow({ item: { id, title, at: taken }, at, isHovered, onHover, onRaise, onRemove }: SourceRowProps) {
  return (
    <li
      className={`${layout['line']} ${layout['choice']}`}
      data-hovered={isHovered}
      onPointerEnter={() => onHover(id)}
      onPointerLeave={() => onHover(null)}
    >
      <Image path={previewPath(id, 2 * picture_px)} alt="" width={picture_px} height={picture_px} />
      <span className={`${layout['grid']} ${layout['fill']} ${layout['narrow']}`}>
        <strong className={`${typography['clip']} ${typography['medium']}`}>{title}</strong>
        <small>{taken ? formatDate(taken) : words.unknownDate}</small>
      </span>
      {at > 0 && (
        <Button
          kind="quiet"
          icon={ArrowUp}
          aria-label={words.earlier(title)}
          title={words.earlier(title)}
          onClick={() => onRaise(at)}
        />
      )}
      <Button
        kind="quiet"
        icon={X}
        aria-label={words.removeItem(title)}
        title={words.removeItem(title)}
        onClick={() => onRemove(id)}
      />
    </li>
  )
}
