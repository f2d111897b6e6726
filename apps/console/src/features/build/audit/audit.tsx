import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { isForbidden } from '../../../api/problem.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { auditTexts } from '../../../texts/audit.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DataTable, textColumn } from '../../../ui/data-table.tsx'
import { DottedName } from '../../../ui/dotted-name.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { BuildScreen } from '../build-screen.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { toAuditInput, type AuditSearch } from './audit-search.ts'
import layout from '../../../ui/layout.module.css'

type AuditEntry = OutputOf<'organizations.audit.list'>['entries'][number]

const words = auditTexts

/** Every call that changes something, whose it was and how it ended. */
export function Audit() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as AuditSearch
  const input = toAuditInput(search)
  const entries = useOperation('organizations.audit.list', input)
  const show = (wanted: AuditSearch): void =>
    void navigate({ to: '.', search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...wanted }) })
  return (
    <BuildScreen actions={<CopyCall operation="organizations.audit.list" input={input} />}>
      <AuditFilters key={JSON.stringify(search)} search={search} onChange={show} />
      {!isForbidden(entries.error) && <AuditTools />}
      <QueryView query={entries} rows={8}>
        {({ entries: known, next: older }) =>
          known.length === 0 ? (
            <EmptyState icon={ShieldQuestion} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            <>
              <AuditTable entries={known} />
              <nav className={`${layout['spread']} ${layout['inset']}`} aria-label={words.title}>
                {search.next && <Button onClick={() => show(withoutPage(search))}>{words.newest}</Button>}
                {older && <Button onClick={() => show({ ...search, next: older })}>{words.older}</Button>}
              </nav>
            </>
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

const withoutPage = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'next'))

/** The whole trail as a file, and its verification. */
function AuditTools() {
  const { client } = usePlatform()
  const [isVerifying, setVerifying] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const verification = useOperation('organizations.audit.verify', {}, { enabled: isVerifying })
  const save = async (): Promise<void> => {
    const bytes = await client.bytes('organizations.audit.export', { format: 'csv' })
    saveFile(new Blob([bytes as BlobPart], { type: 'text/csv' }), 'audit.csv')
  }
  return (
    <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <div className={layout['wrap']}>
        <Button icon={Download} onClick={() => void save().catch(setError)}>
          {words.export}
        </Button>
        <Button icon={ShieldCheck} isPending={verification.isFetching} onClick={() => setVerifying(true)}>
          {words.verify}
        </Button>
      </div>
      {verification.data && (
        <p role="status">
          {verification.data.valid
            ? words.valid(verification.data.entries)
            : words.invalid(verification.data.faults.length)}
        </p>
      )}
      {verification.isError && <ProblemNote error={verification.error} isRead />}
      {error !== null && <ProblemNote error={error} isRead />}
    </div>
  )
}

const tones: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  succeeded: 'good',
  replayed: 'neutral',
  dry_run: 'neutral',
  refused: 'warning',
  failed: 'bad',
}

interface AuditTableProps {
  readonly entries: readonly AuditEntry[]
}

/** The calls as a table; a row opens the details of its call. */
function AuditTable({ entries }: AuditTableProps) {
  const nameOf = useMemberNames()
  const [open, setOpen] = useState<string | null>(null)
  const who = ({ principal_kind: kind, principal_id }: AuditEntry): string =>
    kind === 'human' ? nameOf(principal_id) : (words.callerKinds[kind] ?? kind)
  const target = ({ target_type, target_id }: AuditEntry): string | null =>
    target_id === null ? null : `${target_type ?? ''} ${target_id}`.trim()
  return (
    <DataTable<AuditEntry>
      label={words.title}
      rows={entries}
      getKey={({ id }) => id}
      fileName="audit-page"
      columns={[
        { title: words.time, value: ({ at }) => at, render: ({ at }) => <Time at={at} /> },
        {
          title: words.operation,
          value: ({ operation }) => operation,
          render: ({ operation }) => <DottedName name={operation} />,
        },
        {
          title: words.outcome,
          value: ({ outcome }) => words.outcomes[outcome],
          render: ({ outcome }) => (
            <Badge icon={outcome === 'succeeded' ? ShieldCheck : ShieldQuestion} tone={tones[outcome]}>
              {words.outcomes[outcome]}
            </Badge>
          ),
        },
        textColumn(words.who, who),
        { title: words.target, isWideOnly: true, value: target, render: (entry) => <code>{target(entry)}</code> },
        {
          title: words.more,
          render: ({ id, operation }) => (
            <Button
              kind="quiet"
              aria-label={words.moreOf(operation)}
              aria-expanded={open === id}
              onClick={() => setOpen(open === id ? null : id)}
            >
              {words.more}
            </Button>
          ),
        },
      ]}
      renderDetail={(entry) =>
        open === entry.id && (
          <Facts
            facts={[
              [words.principal, <Identifier key="principal" id={entry.principal_id} />],
              [words.target, target(entry)],
              [words.problem, entry.problem],
              [words.reason, entry.reason],
              [words.address, entry.address],
              [words.request, entry.request_id],
              [words.position, entry.position ?? words.unsealed],
            ]}
          />
        )
      }
    />
  )
}
