import { useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './library.module.css'

export interface BulkBarProps {
  readonly ids: readonly string[]
  readonly collections: OutputOf<'collections.list'>['collections']
  readonly onDone: () => void
}

const none = 'none'

/** What can be done with all selected items at once. */
export function BulkBar({ ids, collections, onDone }: BulkBarProps) {
  const navigate = useNavigate()
  const update = useCommand('items.update', ['items.search_org', 'collections.list'])
  if (ids.length === 0) return null
  const move = async (target: string): Promise<void> => {
    for (const item_id of ids) await update.mutateAsync({ item_id, collection_id: target === none ? null : target })
    onDone()
  }
  return (
    <div className={styles['bulk']} role="region" aria-label={texts.library.selected(ids.length)}>
      <p role="status">{texts.library.selected(ids.length)}</p>
      <div className={styles['row']}>
        <Button
          kind="primary"
          onClick={() =>
            void navigate({ to: '/view', search: ({ v }) => ({ ...(v ? { v } : {}), items: ids.join(',') }) })
          }
        >
          {texts.library.openSelected}
        </Button>
        <SelectField
          label={texts.library.moveTo}
          value=""
          onChange={(target) => target && void move(target).catch(() => undefined)}
          choices={[
            { value: '', label: texts.library.moveTo },
            { value: none, label: texts.library.noCollection },
            ...collections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      {update.isError && <ProblemNote error={update.error} />}
    </div>
  )
}
