import type { OperationId } from '@swath/client/operations.ts'
import { watchTexts } from '../../texts/watch.ts'
import { ConfirmButton, type ConfirmButtonProps } from '../../ui/confirm-button.tsx'

/** A button that deletes. */
export const DeleteButton = <Id extends OperationId>({
  name,
  ...rest
}: { readonly name: string } & Pick<ConfirmButtonProps<Id>, 'title' | 'text' | 'call' | 'command' | 'onSuccess'>) => (
  <ConfirmButton
    label={watchTexts.removeNamed(name)}
    verb={watchTexts.remove}
    kind="danger"
    subject={name}
    cancel={watchTexts.keep}
    {...rest}
  />
)
