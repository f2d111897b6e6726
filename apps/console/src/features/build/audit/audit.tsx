import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { isForbidden } from '../../../api/problem.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DottedName } from '../../../ui/dotted-name.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { BuildScreen } from '../build-screen.tsx'
import styles from '../build.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { toAuditInput, type AuditSearch } from './audit-search.ts'

type AuditEntry = OutputOf<'organizations.audit.list'>['entries'][number]

const words = texts.audit

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
              {known.map((entry) => (
                <AuditRow key={entry.id} entry={entry} />
              ))}
              <nav className={styles['pages']} aria-label={words.title}>
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
    <div className={styles['tools']}>
      <div className={styles['row']}>
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

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { operation, at, outcome, position, principal_kind: kind, principal_id } = entry
  const nameOf = useMemberNames()
  const who = kind === 'human' ? nameOf(principal_id) : (words.callerKinds[kind] ?? kind)
  return (
    <details className={styles['event']}>
      <summary>
        <DottedName name={operation} />
        <Time at={at} />
        <Badge icon={outcome === 'succeeded' ? ShieldCheck : ShieldQuestion} tone={tones[outcome]}>
          {words.outcomes[outcome]}
        </Badge>
        <small>{who}</small>
      </summary>
      <Facts
        facts={[
          [words.who, who],
          [words.principal, <Identifier key="principal" id={principal_id} />],
          [words.target, entry.target_id && `${entry.target_type ?? ''} ${entry.target_id}`],
          [words.problem, entry.problem],
          [words.reason, entry.reason],
          [words.address, entry.address],
          [words.request, entry.request_id],
          [words.position, position ?? words.unsealed],
        ]}
      />
    </details>
  )
}
