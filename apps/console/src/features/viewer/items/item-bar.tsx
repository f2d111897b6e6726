import { ChevronLeft, ChevronRight, Maximize, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useMap } from '../../../map/map-context.tsx'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { fitItem } from '../fit-item.ts'
import type { ViewItem } from '../state/view-item.ts'
import type { Viewer } from '../use-viewer.ts'
import styles from '../viewer.module.css'
import { ItemsHere } from './items-here.tsx'
import layout from '../../../ui/layout.module.css'

interface ItemBarProps {
  readonly viewer: Viewer
  readonly items: readonly ViewItem[]
  readonly item: ViewItem
}

/** The items of the viewer: which one is shown, a step through them, and others that can be added. */
export function ItemBar({ viewer, items, item }: ItemBarProps) {
  const map = useMap()
  const [isAdding, setAdding] = useState(false)
  const isAlone = items.length < 2
  return (
    <>
      <div className={`${layout['chips']} ${styles['items']}`}>
        <ItemSteps viewer={viewer} items={items} item={item} />
        <Button
          icon={Maximize}
          aria-label={texts.viewer.zoomTo}
          title={texts.viewer.zoomTo}
          onClick={() => map && fitItem(map, item)}
        />
        <Button
          icon={Plus}
          aria-expanded={isAdding}
          aria-label={texts.viewer.addItems}
          title={texts.viewer.addItems}
          onClick={() => setAdding(!isAdding)}
        >
          {isAlone && texts.viewer.addItems}
        </Button>
      </div>
      {isAdding && <ItemsHere viewer={viewer} item={item} />}
    </>
  )
}

function ItemSteps({ viewer, items, item }: ItemBarProps) {
  const at = items.indexOf(item)
  const show = (next: ViewItem | undefined): void => {
    if (next) viewer.change({ shown: next.id })
  }
  const isAlone = items.length < 2
  return (
    <>
      {!isAlone && (
        <Button
          icon={ChevronLeft}
          aria-label={texts.viewer.previous}
          disabled={at <= 0}
          onClick={() => show(items[at - 1])}
        />
      )}
      <select
        aria-label={texts.viewer.item}
        value={item.id}
        onChange={({ target }) => show(items.find(({ id }) => id === target.value))}
      >
        {items.map((candidate) => (
          <option key={candidate.id} value={candidate.id}>
            {[candidate.datetime && formatDate(candidate.datetime), candidate.name].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
      {!isAlone && (
        <>
          <Button
            icon={ChevronRight}
            aria-label={texts.viewer.next}
            disabled={at === items.length - 1}
            onClick={() => show(items[at + 1])}
          />
          <Button
            icon={X}
            aria-label={texts.viewer.remove(item.name)}
            onClick={() =>
              viewer.change({ items: items.flatMap(({ id }) => (id === item.id ? [] : [id])), shown: null })
            }
          />
        </>
      )}
    </>
  )
}
