import { Trash2 } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { libraryTexts } from '../../texts/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { LibraryTabs } from './library-tabs.tsx'
import styles from './library.module.css'
import { listDeletions, type DeletedItem } from './list-deletions.ts'
import { useDeleteItems } from './list/use-delete-items.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = libraryTexts.deleted
const input = { event_type: 'item.deleted', limit: 200 } as const

/** The items that exist now, of those that were deleted at some time. */
const createRestoredInput = (deletions: readonly DeletedItem[]): InputOf<'stac.search'> => ({
  limit: Math.max(1, deletions.length),
  filter: { op: 'in', args: [{ property: 'service:item_id' }, deletions.map(({ item_id }) => item_id)] },
})

/** The deleted items that can be restored, from the events. */
export function DeletedItems() {
  const events = useOperation('events.list', input)
  return (
    <Screen title={words.title} toolbar={<LibraryTabs />} actions={<CopyCall operation="events.list" input={input} />}>
      <QueryView query={events}>
        {({ events: known }) => <DeletionList deletions={listDeletions(known, Date.now())} />}
      </QueryView>
    </Screen>
  )
}

function DeletionList({ deletions }: { deletions: readonly DeletedItem[] }) {
  const present = useOperation('stac.search', createRestoredInput(deletions), { enabled: deletions.length > 0 })
  if (deletions.length === 0) return <Nothing />
  return (
    <QueryView query={present}>{({ features }) => <Restorable deletions={deletions} features={features} />}</QueryView>
  )
}

const Nothing = () => (
  <EmptyState icon={Trash2} title={words.empty}>
    <p>{words.help}</p>
  </EmptyState>
)

interface RestorableProps {
  readonly deletions: readonly DeletedItem[]
  readonly features: OutputOf<'stac.search'>['features']
}

function Restorable({ deletions, features }: RestorableProps) {
  const { restore } = useDeleteItems()
  const present = new Set(features.map(({ properties }) => properties['service:item_id']))
  const rows = deletions.filter(({ item_id }) => !present.has(item_id))
  const [restored] = restore.isSuccess ? restore.variables : []
  return (
    <>
      {restored !== undefined && (
        <p className={layout['flat']} role="status">
          {words.restored}{' '}
          <Link to="/library/items/$itemId" params={{ itemId: restored }} search={keepView}>
            {words.openItem}
          </Link>
        </p>
      )}
      {restore.isError && <ProblemNote error={restore.error} />}
      {rows.length === 0 ? <Nothing /> : <p className={layout['flat']}>{words.help}</p>}
      <ul className={`${layout['lineAbove']} ${styles['deleted']}`}>
        {rows.map(({ item_id, name, type, until }) => (
          <li key={item_id}>
            <Trash2 className={typography['muted']} size={16} aria-hidden />
            <span className={layout['stack4']}>
              <strong>{name}</strong>
              <small>
                {type && `${libraryTexts.types[type]} · `}
                {words.until} <Time at={until} />
              </small>
            </span>
            <Button
              aria-label={words.restoreName(name)}
              isPending={restore.isPending && restore.variables[0] === item_id}
              onClick={() => restore.mutate([item_id])}
            >
              {words.restore}
            </Button>
            <CopyCall operation="items.restore" input={{ item_id }} />
          </li>
        ))}
      </ul>
    </>
  )
}
