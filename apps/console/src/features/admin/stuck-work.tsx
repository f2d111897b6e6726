import { CircleCheck, Hourglass } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { OrganizationNote } from './organization-note.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Work = OutputOf<'admin.stuck_work.list'>['stuck_work'][number]
type Action = Work['actions'][number]

const words = adminTexts.stuck
const everything = ''
const kinds = [
  { value: everything, label: words.anyKind },
  ...Object.entries(words.kinds).map(([value, label]) => ({ value, label })),
]

const operations = {
  retry: { operation: 'admin.stuck_work.retry', kind: 'primary' },
  release: { operation: 'admin.stuck_work.release', kind: 'primary' },
  cancel: { operation: 'admin.stuck_work.cancel', kind: 'danger' },
} as const satisfies Record<Action, object>

/** Work of all organizations that has not moved for long. */
export function StuckWork() {
  const [kind, setKind] = useState(everything)
  const input = kind === everything ? {} : { kind: kind as Work['kind'] }
  const stuck = useOperation('admin.stuck_work.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.stuck_work.list" input={input} />}>
      <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
        <SelectField label={words.kind} choices={kinds} value={kind} onChange={setKind} />
      </div>
      <QueryView query={stuck} rows={4}>
        {({ stuck_work }) =>
          stuck_work.length === 0 ? (
            <EmptyState icon={CircleCheck} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            stuck_work.map((work) => <StuckRow key={`${work.kind} ${work.id}`} work={work} />)
          )
        }
      </QueryView>
    </AdminScreen>
  )
}

function StuckRow({ work }: { work: Work }) {
  const { kind, id, organization_id, organization_name, subject, reason, detail, stuck_since, actions } = work
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong>{words.kinds[kind]}</strong>
        <Badge icon={Hourglass} tone="bad">
          {words.reasons[reason]}
        </Badge>
      </header>
      {subject && <p className={typography['anywhere']}>{subject}</p>}
      {detail && <p className={typography['anywhere']}>{detail}</p>}
      <Time at={stuck_since} />
      <OrganizationNote id={organization_id} name={organization_name} />
      <div className={layout['row']}>
        {actions.map((action) => (
          <ActButton
            key={action}
            {...operations[action]}
            verb={words.actions[action].verb}
            title={words.actions[action].title}
            text={words.actions[action].text}
            subject={subject ?? id}
            input={{ kind, work_id: id, organization_id }}
            affected={['admin.stuck_work.list']}
          />
        ))}
      </div>
    </article>
  )
}
