import type { OperationId } from '@swath/client/operations.ts'
import { texts } from '../../texts.ts'
import { ConfirmButton, type ConfirmButtonProps } from '../../ui/confirm-button.tsx'

/** A button that deletes. */
export const DeleteButton = <Id extends OperationId>({
  name,
  ...rest
}: { readonly name: string } & Pick<ConfirmButtonProps<Id>, 'title' | 'text' | 'call' | 'command' | 'onSuccess'>) => (
  <ConfirmButton
    label={texts.watch.removeNamed(name)}
    verb={texts.watch.remove}
    kind="danger"
    subject={name}
    cancel={texts.watch.keep}
    {...rest}
  />
)
