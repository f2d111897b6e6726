import type { StatementSender } from './collect-statements.ts'
import { tableOf } from './rules.ts'
import { listTargets, type Change } from './syntax.ts'

/** A function that may change rows of a table. */
interface Writer {
  readonly kind: Change['kind']
  /** Null: any function. */
  readonly sender: string | null
  /** All that it assigns; default: any column. */
  readonly columns?: readonly string[]
  /** The column that it always assigns. */
  readonly required?: string
}

const itemsFile = 'platform/database/item-counts/write-items.ts'
const countsFile = 'platform/database/item-counts/write-counts.ts'
const leftColumns = ['left_collection_id', 'updated_at', 'revision']
const counts: readonly Writer[] = ['addCounts', 'narrowMonths', 'removeEmptyProperties'].flatMap((name) =>
  (['insert', 'update', 'delete'] as const).map((kind) => ({ kind, sender: `${countsFile} ${name}` })),
)

/** The only writers of tables for which statements keep what triggers keep elsewhere: tables that are distributed have none. */
const writers: Readonly<Record<string, readonly Writer[]>> = {
  // The columns that the trigger `invoices_fixed` allows.
  invoices: [
    { kind: 'insert', sender: null },
    { kind: 'update', sender: null, columns: ['status', 'paid_at', 'number', 'sequence'] },
  ],
  // The function that appends also writes the total.
  storage_journal: [{ kind: 'insert', sender: 'domains/usage/store.ts insertStorageJournalEntries' }],
  // They also write the counts. A cached Feature is served until the revision of its item changes.
  items: [
    { kind: 'insert', sender: `${itemsFile} insertItemRows` },
    { kind: 'update', sender: `${itemsFile} updateItemRows`, required: 'revision' },
    {
      kind: 'update',
      sender: `${itemsFile} moveItemRows`,
      columns: ['collection_id', ...leftColumns],
      required: 'revision',
    },
    {
      // The state only changes from `expiring` to `active`; searches find both.
      kind: 'update',
      sender: `${itemsFile} updateUncountedColumns`,
      columns: ['lifecycle_state', 'expires_at', ...leftColumns],
      required: 'revision',
    },
  ],
  item_counts: counts,
  item_months: counts,
  item_properties: counts,
}

/** The changes of a statement that its sender may not make. */
export const findForeignWrites = (changes: readonly Change[], { file, name }: StatementSender): string[] =>
  changes.flatMap((change) => {
    const assigned = change.kind === 'update' ? listTargets(change.query.targetList) : []
    const isPermitted = ({ kind, sender, columns, required }: Writer): boolean =>
      kind === change.kind &&
      (sender === null || sender === `${file} ${name}`) &&
      assigned.every((column) => columns?.includes(column) ?? true) &&
      (required === undefined || assigned.includes(required))
    const table = tableOf(change)
    const isFree = !Object.hasOwn(writers, table) || writers[table]!.some(isPermitted)
    return isFree ? [] : [`may not ${change.kind} rows of ${table} (${assigned.join(', ')})`]
  })
