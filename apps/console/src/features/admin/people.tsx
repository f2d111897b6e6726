import { Ban, Scissors, ShieldCheck, Users } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { ImpersonateButton } from './impersonate-button.tsx'
import { OrganizationNote } from './organization-note.tsx'
import { AskSupportButton } from './ask-support-button.tsx'
import { RestNote } from './rest-note.tsx'
import { RoleButtons } from './role-buttons.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type User = OutputOf<'admin.users.list'>['users'][number]

const words = adminTexts

/** The people of the platform, to be disabled, enabled and read as. */
export function People() {
  const [search, setSearch] = useState('')
  const email = useSettled(search.trim())
  const input = { limit: 100, ...(email ? { email } : {}) }
  const users = useOperation('admin.users.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.users.list" input={input} />}>
      <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
        <TextField type="search" label={words.email} value={search} onChange={setSearch} />
      </div>
      <QueryView query={users} rows={6}>
        {({ users: known, total }) =>
          known.length === 0 ? (
            <EmptyState icon={Users} title={words.noPeople} />
          ) : (
            <>
              {known.map((user) => (
                <UserRow key={user.id} user={user} />
              ))}
              <RestNote shown={known.length} total={total} />
            </>
          )
        }
      </QueryView>
    </AdminScreen>
  )
}

function UserRow({ user }: { user: User }) {
  const { id, email, name, administrator, disabled_at, organization_id, organization_name } = user
  const act = { subject: email, input: { user_id: id }, affected: ['admin.users.list'] } as const
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong>{name ?? email}</strong>
        {administrator && (
          <Badge icon={ShieldCheck} tone="active">
            {words.operator}
          </Badge>
        )}
        {user.clip_user && (
          <Badge icon={Scissors} tone="active">
            {words.clipUser}
          </Badge>
        )}
        {disabled_at !== null && (
          <Badge icon={Ban} tone="bad">
            {words.disabled}
          </Badge>
        )}
      </header>
      {name !== null && <p className={typography['anywhere']}>{email}</p>}
      <OrganizationNote id={organization_id} name={organization_name} />
      <div className={layout['row']}>
        {disabled_at === null ? (
          <ActButton
            {...act}
            kind="danger"
            operation="admin.users.disable"
            verb={words.disable}
            title={words.disableTitle}
            text={words.disableText}
          />
        ) : (
          <ActButton
            {...act}
            kind="primary"
            operation="admin.users.enable"
            verb={words.enable}
            title={words.enableTitle}
            text={words.enableText}
          />
        )}
        {disabled_at === null && <RoleButtons user={user} />}
        {organization_id !== null && disabled_at === null && !administrator && (
          <AskSupportButton {...act} input={{ organization_id }} />
        )}
        {organization_id !== null && disabled_at === null && !administrator && (
          <ImpersonateButton subject={email} input={{ organization_id, user_id: id }} />
        )}
      </div>
    </article>
  )
}
