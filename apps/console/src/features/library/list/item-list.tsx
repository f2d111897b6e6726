import { FolderOpen, SearchX } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { isFilterProblem } from '../search/filter-problem.ts'
import { isFiltered } from '../search/library-search.ts'
import type { ItemSearchQuery } from '../search/use-item-search.ts'
import type { LibraryUrl } from '../search/use-library-url.ts'
import { BulkBar } from './bulk-bar.tsx'
import { toFootprints, toListItem, type ListItem } from './found-item.ts'
import styles from './item-list.module.css'
import { ItemRow, rowId } from './item-row.tsx'
import { useDeleteItems } from './use-delete-items.ts'
import { useExpiringItems } from './use-expiring-items.ts'
import type { useMoveItems } from './use-move-items.ts'
import { useShowFootprints } from './use-show-footprints.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

export interface ItemListProps {
  readonly url: LibraryUrl
  readonly found: ItemSearchQuery
  readonly collections: OutputOf<'collections.list'>['collections'] | null
  readonly move: ReturnType<typeof useMoveItems>
}

/** The items of the URL: as a list and on the map, linked both ways. */
export function ItemList(props: ItemListProps) {
  const { query, input } = props.found
  if (input === null) return null
  // The error of a filter is shown at its field.
  if (query.isError && isFilterProblem(query.error)) return null
  return (
    <QueryView query={query} rows={6}>
      {({ pages }) => <Items {...props} pages={pages} />}
    </QueryView>
  )
}

function Items({
  url,
  found,
  collections,
  move,
  pages,
}: ItemListProps & { pages: readonly OutputOf<'stac.search'>[] }) {
  const { query, input } = found
  const items = useMemo(() => pages.flatMap(({ features }) => features.map(toListItem)), [pages])
  const colours = useMemo(
    () => new Map((collections ?? []).flatMap(({ id, color }) => (color ? [[id, color] as const] : []))),
    [collections],
  )
  const footprints = useMemo(() => toFootprints(items, colours), [items, colours])
  const [hovered, setHovered] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const { remove, restore } = useDeleteItems()
  const { project, collection } = url.search
  useShowFootprints(`${project ?? ''} ${collection ?? ''}`, footprints)
  // Only shown items count: an item may have left the list meanwhile.
  const selected = useMemo(() => new Set(items.filter(({ id }) => chosen.has(id)).map(({ id }) => id)), [items, chosen])
  const toggle = (id: string): void => setChosen(new Set(selected).symmetricDifference(new Set([id])))
  const total = pages[0]?.numberMatched ?? 0
  return (
    <>
      <Outcome remove={remove} restore={restore} move={move} />
      {items.length === 0 ? (
        <NothingFound url={url} />
      ) : (
        <>
          <div className={`${layout['spread']} ${layout['flat']} ${typography['muted']} ${styles['counts']}`}>
            <label className={layout['line']}>
              <input
                type="checkbox"
                aria-label={libraryTexts.selectAll}
                checked={selected.size === items.length}
                onChange={() =>
                  setChosen(selected.size === items.length ? new Set() : new Set(items.map(({ id }) => id)))
                }
              />
              <span className="figures">{libraryTexts.count(items.length, total)}</span>
            </label>
            <CopyCall operation="stac.search" input={input ?? {}} />
          </div>
          <Rows items={items} hovered={hovered} selected={selected} onHover={setHovered} onToggle={toggle} />
          {query.hasNextPage && (
            <div className={`${layout['center']} ${layout['inset']}`}>
              <Button isPending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {libraryTexts.more}
              </Button>
            </div>
          )}
          {selected.size > 0 && (
            <BulkBar
              ids={[...selected]}
              collections={collections}
              isMoving={move.isPending}
              done={move.done}
              isRemoving={remove.isPending}
              onMove={(input) => move.mutate(input, { onSuccess: () => setChosen(new Set()) })}
              onRemove={(ids) => remove.mutate(ids)}
              onClear={() => setChosen(new Set())}
            />
          )}
        </>
      )}
      <FootprintLayer
        id="items"
        footprints={footprints}
        hovered={hovered}
        selected={selected}
        onHover={(id) => {
          setHovered(id)
          if (id) document.getElementById(rowId(id))?.scrollIntoView({ block: 'nearest' })
        }}
        onSelect={toggle}
      />
    </>
  )
}

interface RowsProps {
  readonly items: readonly ListItem[]
  readonly hovered: string | null
  readonly selected: ReadonlySet<string>
  readonly onHover: (id: string | null) => void
  readonly onToggle: (id: string) => void
}

function Rows({ items, hovered, ...rest }: RowsProps) {
  const ends = useExpiringItems()
  return (
    <ul className={styles['list']} aria-label={libraryTexts.items}>
      {items.map((item) => (
        <ItemRow
          key={item.id}
          item={item}
          isHovered={item.id === hovered}
          expires_at={ends.get(item.id) ?? null}
          {...rest}
        />
      ))}
    </ul>
  )
}

type Deleting = ReturnType<typeof useDeleteItems>

/** The result of the last action on several items, with a button that undoes it. */
function Outcome({ remove, restore, move }: Deleting & Pick<ItemListProps, 'move'>) {
  const words = libraryTexts.bulk
  const last = Math.max(remove.submittedAt, restore.submittedAt, move.submittedAt)
  if (last === 0) return null
  const latest = [restore, move, remove].find(({ submittedAt }) => submittedAt === last)!
  if (latest.isError) return <ProblemNote error={latest.error} isRead />
  if (latest === remove && remove.data)
    return (
      <div className={`${layout['row']} ${layout['flat']} ${layout['lineBelow']} ${layout['sunken']}`} role="status">
        <p className={layout['fill']}>{words.deleted(remove.data.ids.length)}</p>
        {remove.data.ids.length > 0 && <Button onClick={() => restore.mutate(remove.data!.ids)}>{words.undo}</Button>}
        {remove.data.reason !== null && (
          <p className={layout['fill']}>{words.refused(remove.data.refused, remove.data.reason)}</p>
        )}
      </div>
    )
  const text =
    latest === move && move.isSuccess
      ? words.moved(move.data, move.variables.name)
      : latest === restore && restore.isSuccess
        ? words.restored(restore.variables.length)
        : null
  return (
    text && (
      <div className={`${layout['row']} ${layout['flat']} ${layout['lineBelow']} ${layout['sunken']}`} role="status">
        <p className={layout['fill']}>{text}</p>
      </div>
    )
  )
}

function NothingFound({ url: { search, change } }: { url: LibraryUrl }) {
  if (!isFiltered(search)) return <EmptyLibrary />
  const { project, collection, sort } = search
  return (
    <EmptyState icon={SearchX} title={libraryTexts.noMatch}>
      <Button
        onClick={() => {
          const none = { q: undefined, from: undefined, to: undefined, cloud: undefined, type: undefined }
          change({ ...none, where: undefined, project, collection, sort })
        }}
      >
        {libraryTexts.clearFilters}
      </Button>
    </EmptyState>
  )
}

export const EmptyLibrary = () => (
  <EmptyState icon={FolderOpen} title={libraryTexts.empty}>
    <p>{libraryTexts.emptyHelp}</p>
    <Link to="/explore" search={keepView}>
      {libraryTexts.toExplore}
    </Link>
    <Link to="/library/uploads" search={keepView}>
      {libraryTexts.upload}
    </Link>
  </EmptyState>
)
