import { texts } from '../../texts.ts'
import { ConfirmButton, type ConfirmButtonProps } from '../../ui/confirm-button.tsx'

/** A button that deletes. */
export const DeleteButton = ({
  name,
  ...rest
}: { readonly name: string } & Pick<ConfirmButtonProps, 'title' | 'text' | 'call' | 'command'>) => (
  <ConfirmButton
    label={texts.watch.removeNamed(name)}
    verb={texts.watch.remove}
    kind="danger"
    subject={name}
    cancel={texts.watch.keep}
    {...rest}
  />
)
