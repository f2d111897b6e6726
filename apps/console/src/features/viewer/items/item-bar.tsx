import { ChevronLeft, ChevronRight, Maximize, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useMap } from '../../../map/map-context.tsx'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { fitItem } from '../fit-item.ts'
import { type ViewItem, toViewItem } from '../state/view-item.ts'
import type { Viewer } from '../use-viewer.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'
import { useOperation } from '../../../api/use-operation.ts'
import { CheckboxField } from '../../../ui/field.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { max_items } from '../state/viewer-state.ts'
import typography from '../../../ui/typography.module.css'

/** Items of the library that cover the same place, to be added or taken out. */
function ItemsHere({ viewer, item }: { viewer: Viewer; item: ViewItem }) {
  const found = useOperation(
    'items.search_org',
    { bbox: [...(item.bbox ?? [-180, -90, 180, 90])], limit: max_items, format: 'stac' },
    { enabled: item.bbox !== null },
  )
  const { items } = viewer.state
  const toggle = (id: string, isWanted: boolean): void => {
    const next = isWanted ? [...items, id] : items.filter((other) => other !== id)
    if (next.length > 0) viewer.change({ items: next })
  }
  return (
    <QueryView query={found} rows={2}>
      {({ features, numberMatched }) => {
        const candidates = features.flatMap((feature) => ('assets' in feature ? [toViewItem(feature)] : []))
        const drawable = candidates.filter(({ assets }) => assets.length > 0)
        if (drawable.length < 2) return <p className={typography['note']}>{viewerTexts.noItemsHere}</p>
        return (
          <div
            className={`${layout['stack4']} ${layout['box']} ${styles['here']}`}
            role="group"
            aria-label={viewerTexts.addItems}
          >
            {drawable.map(({ id, name, datetime }) => (
              <CheckboxField
                key={id}
                label={[datetime && formatDate(datetime), name].filter(Boolean).join(' · ')}
                checked={items.includes(id)}
                onChange={(isWanted) => toggle(id, isWanted)}
              />
            ))}
            {numberMatched > candidates.length && (
              <small className={typography['note']}>
                {viewerTexts.manyItemsHere(candidates.length, numberMatched)}
              </small>
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

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
          aria-label={viewerTexts.zoomTo}
          title={viewerTexts.zoomTo}
          onClick={() => map && fitItem(map, item)}
        />
        <Button
          icon={Plus}
          aria-expanded={isAdding}
          aria-label={viewerTexts.addItems}
          title={viewerTexts.addItems}
          onClick={() => setAdding(!isAdding)}
        >
          {isAlone && viewerTexts.addItems}
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
          aria-label={viewerTexts.previous}
          disabled={at <= 0}
          onClick={() => show(items[at - 1])}
        />
      )}
      <select
        aria-label={viewerTexts.item}
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
            aria-label={viewerTexts.next}
            disabled={at === items.length - 1}
            onClick={() => show(items[at + 1])}
          />
          <Button
            icon={X}
            aria-label={viewerTexts.remove(item.name)}
            onClick={() =>
              viewer.change({ items: items.flatMap(({ id }) => (id === item.id ? [] : [id])), shown: null })
            }
          />
        </>
      )}
    </>
  )
}
