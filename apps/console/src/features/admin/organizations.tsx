import { Ban, Building2, CircleCheck, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { RestNote } from './rest-note.tsx'
import layout from '../../ui/layout.module.css'

type Organization = OutputOf<'admin.orgs.list'>['organizations'][number]

const words = adminTexts

/** The organizations of the platform, to be suspended and resumed. */
export function Organizations() {
  const [search, setSearch] = useState('')
  const settled = useSettled(search.trim())
  const input = { limit: 100, ...(settled ? { search: settled } : {}) }
  const organizations = useOperation('admin.orgs.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.orgs.list" input={input} />}>
      <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
        <TextField type="search" label={words.search} value={search} onChange={setSearch} />
      </div>
      <QueryView query={organizations} rows={6}>
        {({ organizations: known, total }) =>
          known.length === 0 ? (
            <EmptyState icon={Building2} title={words.noOrganizations} />
          ) : (
            <>
              {known.map((organization) => (
                <OrganizationRow key={organization.id} organization={organization} />
              ))}
              <RestNote shown={known.length} total={total} />
            </>
          )
        }
      </QueryView>
    </AdminScreen>
  )
}

const statusMarks = {
  active: { icon: CircleCheck, tone: 'good' },
  suspended: { icon: Ban, tone: 'bad' },
  deleted: { icon: Trash2, tone: 'neutral' },
} as const

function OrganizationRow({ organization }: { organization: Organization }) {
  const { id, name, plan, status, created_at, suspended_reason } = organization
  const act = { subject: name, input: { organization_id: id }, affected: ['admin.orgs.list'] } as const
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong>{name}</strong>
        <Badge {...statusMarks[status]}>{words.statuses[status]}</Badge>
      </header>
      <Facts
        facts={[
          [words.plan, words.plans[plan]],
          [words.created, <Time key="created" at={created_at} />],
          [words.reason, suspended_reason],
        ]}
      />
      <div className={layout['row']}>
        <Identifier id={id} />
        {status === 'active' && (
          <ActButton
            {...act}
            kind="danger"
            operation="admin.orgs.suspend"
            verb={words.suspend}
            title={words.suspendTitle}
            text={words.suspendText}
          />
        )}
        {status === 'suspended' && (
          <ActButton
            {...act}
            kind="primary"
            operation="admin.orgs.resume"
            verb={words.resume}
            title={words.resumeTitle}
            text={words.resumeText}
          />
        )}
      </div>
    </article>
  )
}
