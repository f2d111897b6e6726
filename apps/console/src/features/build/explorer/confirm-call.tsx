import { buildTexts } from '../../../texts/build.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OperationDocument } from './use-openapi.ts'

const words = buildTexts.confirm

/** True for calls that cost money or destroy something. */
export const isConfirmed = (effect: string): effect is 'spend' | 'destructive' =>
  effect === 'spend' || effect === 'destructive'

export interface ConfirmCallProps {
  readonly operation: OperationDocument
  readonly input: object
  readonly onClose: () => void
  readonly onConfirm: () => void
}

export function ConfirmCall({ operation: { id, summary, effect }, input, onClose, onConfirm }: ConfirmCallProps) {
  const spends = effect === 'spend'
  return (
    <Dialog
      title={words.title(id)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button kind={spends ? 'primary' : 'danger'} onClick={onConfirm}>
            {buildTexts.run}
          </Button>
        </>
      }
    >
      <p>{spends ? words.spend : words.destructive}</p>
      <p>{summary}</p>
      <pre tabIndex={0} aria-label={buildTexts.input}>
        {JSON.stringify(input, null, 2)}
      </pre>
    </Dialog>
  )
}
