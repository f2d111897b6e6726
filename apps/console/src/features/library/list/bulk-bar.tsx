import { Download, Eye, FlaskConical, FolderInput, Trash2, X } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Calls } from '../../../ui/calls/calls.tsx'
import { noCollection } from '../search/library-search.ts'
import styles from './item-list.module.css'
import type { Move } from './use-move-items.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = libraryTexts.bulk

export interface BulkBarProps {
  readonly ids: readonly string[]
  /** The collections of the project that is shown; without one, items cannot be moved. */
  readonly collections: OutputOf<'collections.list'>['collections'] | null
  readonly isMoving: boolean
  /** Number of items moved so far. */
  readonly done: number
  readonly isRemoving: boolean
  readonly onMove: (move: Move) => void
  readonly onRemove: (ids: readonly string[]) => void
  readonly onClear: () => void
}

/** The actions on all selected items at once. */
export function BulkBar(props: BulkBarProps) {
  const { ids, collections, isMoving, done, isRemoving, onMove, onRemove, onClear } = props
  const navigate = useNavigate()
  const download = useBulkDownload(ids)
  const items = ids.join(',')
  // On small screens the list needs the space.
  const [isWide] = useState(() => matchMedia('(width >= 720px)').matches)
  return (
    <div
      className={`${layout['footer']} ${layout['stack8']} ${styles['bulk']}`}
      role="region"
      aria-label={words.selected(ids.length)}
    >
      <div className={`${layout['row']} ${layout['firstGrows']}`}>
        <p role="status">{words.selected(ids.length)}</p>
        <Button
          kind="primary"
          icon={Eye}
          title={words.open}
          onClick={() => void navigate({ to: '/view', search: ({ v }) => ({ ...(v ? { v } : {}), items }) })}
        >
          {words.view}
        </Button>
        <Button
          icon={FlaskConical}
          aria-label={words.analyse}
          title={words.analyse}
          onClick={() =>
            void navigate({
              to: '/analyse',
              search: (({ v }: { v?: string }) => ({ ...(v ? { v } : {}), items })) as never,
            })
          }
        />
        <Button icon={Download} aria-label={words.download} title={words.download} {...download.button} />
        <Button
          kind="danger"
          icon={Trash2}
          aria-label={words.remove}
          title={words.remove}
          isPending={isRemoving}
          onClick={() => onRemove(ids)}
        />
        <Button kind="quiet" icon={X} aria-label={words.clear} title={words.clear} onClick={onClear} />
      </div>
      {download.done !== null && <p role="status">{words.downloading(download.done + 1, ids.length)}</p>}
      {download.error !== null && <ProblemNote error={download.error} isRead />}
      <details className={styles['more']} open={isWide}>
        <summary className={`${layout['fit']} ${typography['small']}`}>{words.more}</summary>
        {collections ? (
          <MoveItems ids={ids} collections={collections} isMoving={isMoving} done={done} onMove={onMove} />
        ) : (
          <p className={typography['note']}>{words.moveWhere}</p>
        )}
        <Calls
          calls={[
            [words.download, 'items.download', { item_id: ids[0] }],
            [words.moveTo, 'items.update', { item_id: ids[0], collection_id: null }],
            [words.remove, 'items.batch_delete', { item_ids: ids }],
          ]}
        />
      </details>
    </div>
  )
}

type MoveItemsProps = Pick<BulkBarProps, 'ids' | 'isMoving' | 'done' | 'onMove'> & {
  readonly collections: NonNullable<BulkBarProps['collections']>
}

/** The alternative to dragging for the keyboard: the collection is chosen first, and then the items are moved. */
function MoveItems({ ids, collections, isMoving, done, onMove }: MoveItemsProps) {
  const [target, setTarget] = useState('')
  const name = collections.find(({ id }) => id === target)?.name ?? libraryTexts.noCollection
  return (
    <form
      className={layout['fieldAndButton']}
      onSubmit={(event) => {
        event.preventDefault()
        onMove({ ids, collection_id: target === noCollection ? null : target, name })
      }}
    >
      <SelectField
        label={words.moveTo}
        value={target}
        required
        disabled={isMoving}
        onChange={setTarget}
        choices={[
          { value: '', label: words.moveHelp },
          { value: noCollection, label: libraryTexts.noCollection },
          ...collections.map((collection) => ({ value: collection.id, label: collection.name })),
        ]}
      />
      <Button type="submit" icon={FolderInput} isPending={isMoving}>
        {isMoving ? words.progress(done, ids.length) : words.move}
      </Button>
    </form>
  )
}

/** Each item as a ZIP of its files, one after the other. */
function useBulkDownload(ids: readonly string[]) {
  const { client } = usePlatform()
  /** The number of items before the one that is prepared now. */
  const [done, setDone] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const download = async (): Promise<void> => {
    setError(null)
    for (const [index, item_id] of ids.entries()) {
      setDone(index)
      const { url, file_name } = await client.call('items.download', { item_id })
      saveFile(url, file_name)
    }
  }
  const onClick = (): void =>
    void download()
      .catch(setError)
      .finally(() => setDone(null))
  return { done, error, button: { isPending: done !== null, onClick } }
}
