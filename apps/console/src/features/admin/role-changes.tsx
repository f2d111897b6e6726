import { UserCog } from 'lucide-react'
import type { RoleChange } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { DecisionButtons, RequestStatus } from './decide-request.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = adminTexts
const input = { limit: 100 }

/** Changes of the roles of users on the platform: one operator requests, another one decides. */
export function RoleChanges() {
  const changes = useOperation('admin.role_changes.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.role_changes.list" input={input} />}>
      <QueryView query={changes} rows={4}>
        {({ role_changes: known }) =>
          known.length === 0 ? (
            <EmptyState icon={UserCog} title={words.noRoleChanges}>
              <p>{words.noRoleChangesHelp}</p>
            </EmptyState>
          ) : (
            known.map((change) => <RoleChangeRow key={change.id} change={change} />)
          )
        }
      </QueryView>
    </AdminScreen>
  )
}

const describe = ({ operator, clip_user }: RoleChange): string =>
  [
    operator === null ? null : words.roleChange.operator(operator),
    clip_user === null ? null : words.roleChange.clip_user(clip_user),
  ]
    .filter((text) => text !== null)
    .join('. ')

function RoleChangeRow({ change }: { change: RoleChange }) {
  const { id, email, reason, status, decision_reason, requested_by, requested_at, user_id } = change
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} aria-label={email}>
      <header className={layout['spread']}>
        <strong className={typography['anywhere']}>{email}</strong>
        <RequestStatus status={status} />
      </header>
      <p>{describe(change)}</p>
      <p className={typography['anywhere']}>{reason}</p>
      {decision_reason && <p className={typography['anywhere']}>{decision_reason}</p>}
      <Time at={requested_at} />
      {status === 'pending' && (
        <div className={layout['row']}>
          <DecisionButtons
            subject={email}
            input={{ role_change_id: id }}
            affected={['admin.role_changes.list', 'admin.users.list']}
            excluded={[requested_by, user_id]}
            approve={{
              operation: 'admin.role_changes.approve',
              title: words.approveRolesTitle,
              text: words.approveRolesText,
            }}
            reject={{
              operation: 'admin.role_changes.reject',
              title: words.rejectRolesTitle,
              text: words.rejectRolesText,
            }}
          />
        </div>
      )}
    </article>
  )
}
