import { adminTexts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatTime } from '../../ui/format.ts'
import { ActButton } from './act-button.tsx'
import styles from './admin.module.css'
import layout from '../../ui/layout.module.css'

const words = adminTexts

export interface ImpersonateButtonProps {
  readonly subject: string
  readonly input: { readonly organization_id: string; readonly user_id: string }
}

/** Issues a token that reads as a user, for a reason and for a quarter of an hour; it is shown once. */
export const ImpersonateButton = ({ subject, input }: ImpersonateButtonProps) => (
  <ActButton
    kind="plain"
    operation="admin.users.impersonate"
    verb={words.impersonate}
    title={words.impersonateTitle}
    subject={subject}
    text={words.impersonateText}
    input={input}
    affected={[]}
    renderResult={({ access_token, expires_at }, onDone) => (
      <div className={`${layout['row']} ${styles['token']}`} role="status">
        <p>{words.token(formatTime(expires_at))}</p>
        <CopyButton label={words.copyToken} text={access_token} />
        <Button kind="quiet" onClick={onDone}>
          {words.done}
        </Button>
      </div>
    )}
  />
)
