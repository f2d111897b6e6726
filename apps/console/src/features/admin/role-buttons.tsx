import type { OutputOf } from '@swath/client/operations.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { ActButton, type ActButtonProps } from './act-button.tsx'
import layout from '../../ui/layout.module.css'

const words = adminTexts

const acts = {
  operator: {
    give: { verb: words.makeOperator, title: words.makeOperatorTitle, text: words.makeOperatorText },
    take: { verb: words.endOperator, title: words.endOperatorTitle, text: words.endOperatorText },
  },
  clip_user: {
    give: { verb: words.makeClipUser, title: words.makeClipUserTitle, text: words.makeClipUserText },
    take: { verb: words.endClipUser, title: words.endClipUserTitle, text: words.endClipUserText },
  },
} as const

export interface RoleButtonsProps {
  readonly user: OutputOf<'admin.users.list'>['users'][number]
}

/** Requests that a user becomes, or stops being, an operator or a clip user; operators may clip without being clip users. */
export function RoleButtons({ user }: RoleButtonsProps) {
  const { id: user_id, administrator, clip_user } = user
  return (
    <>
      <RoleButton
        subject={user.email}
        words={acts.operator[administrator ? 'take' : 'give']}
        input={{ user_id, operator: !administrator }}
      />
      {!administrator && (
        <RoleButton
          subject={user.email}
          words={acts.clip_user[clip_user ? 'take' : 'give']}
          input={{ user_id, clip_user: !clip_user }}
        />
      )}
    </>
  )
}

interface RoleButtonProps {
  readonly subject: string
  readonly words: Pick<ActButtonProps<'admin.users.set_roles'>, 'verb' | 'title' | 'text'>
  readonly input: ActButtonProps<'admin.users.set_roles'>['input']
}

const RoleButton = ({ subject, words: act, input }: RoleButtonProps) => (
  <ActButton
    {...act}
    kind="plain"
    subject={subject}
    operation="admin.users.set_roles"
    input={input}
    affected={['admin.users.list', 'admin.role_changes.list']}
    renderResult={({ status }, onDone) => (
      <div className={layout['row']} role="status">
        <p>{status === 'approved' ? words.rolesHold : words.rolesWait}</p>
        <Button kind="quiet" onClick={onDone}>
          {words.done}
        </Button>
      </div>
    )}
  />
)
