import { useState } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'

const words = texts.admin

export interface ImpersonateButtonProps {
  readonly subject: string
  readonly input: { readonly organization_id: string; readonly user_id: string }
}

/** Issues a token that reads as a user, for a reason and for a quarter of an hour. */
export function ImpersonateButton({ subject, input }: ImpersonateButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const command = useCommand('admin.users.impersonate')
  const close = (): void => {
    setAsking(false)
    command.reset()
  }
  return (
    <>
      <Button aria-label={words.labelOf(words.impersonate, subject)} onClick={() => setAsking(true)}>
        {words.impersonate}
      </Button>
      {isAsking && (
        <Dialog
          title={words.impersonateTitle}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{words.cancel}</Button>
              <Button
                kind="primary"
                disabled={reason.trim() === '' || command.isSuccess}
                isPending={command.isPending}
                onClick={() => command.mutate({ ...input, reason: reason.trim() })}
              >
                {words.impersonate}
              </Button>
            </>
          }
        >
          <p>
            <strong>{subject}</strong>
          </p>
          <p>{words.impersonateText}</p>
          <TextField label={words.reason} help={words.reasonHelp} value={reason} onChange={setReason} required />
          {command.isError && <ProblemNote error={command.error} />}
          {command.data && (
            <p>
              {words.token(formatTime(command.data.expires_at))}{' '}
              <CopyButton label={words.copyToken} text={command.data.access_token} />
            </p>
          )}
        </Dialog>
      )}
    </>
  )
}
