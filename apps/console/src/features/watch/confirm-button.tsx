import { useState } from 'react'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'

export interface ConfirmButtonProps {
  /** The button names what it acts on; the dialog repeats the verb. */
  readonly label: string
  readonly verb: string
  readonly kind: 'danger' | 'primary'
  readonly title: string
  readonly subject: string
  readonly text: string
  readonly cancel: string
  readonly command: {
    readonly isPending: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly run: (onSuccess: () => void) => void
  }
}

/** A button whose dialog asks before something is bought or deleted. */
export function ConfirmButton({ label, verb, kind, title, subject, text, cancel, command }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{cancel}</Button>
              <Button kind={kind} isPending={command.isPending} onClick={() => command.run(close)}>
                {verb}
              </Button>
            </>
          }
        >
          <p>
            <strong>{subject}</strong>
          </p>
          <p>{text}</p>
          {command.isError && <ProblemNote error={command.error} />}
        </Dialog>
      )}
    </>
  )
}

/** A button that deletes. */
export const DeleteButton = ({
  name,
  ...rest
}: { readonly name: string } & Pick<ConfirmButtonProps, 'title' | 'text' | 'command'>) => (
  <ConfirmButton
    label={texts.watch.removeNamed(name)}
    verb={texts.watch.remove}
    kind="danger"
    subject={name}
    cancel={texts.watch.keep}
    {...rest}
  />
)
