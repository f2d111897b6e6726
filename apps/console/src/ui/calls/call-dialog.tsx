import { callsTexts } from '../../texts/calls.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { CallSamples, type CallSamplesProps } from './call-samples.tsx'

/** The call of an action or a screen, to be copied as a program. */
export const CallDialog = ({ onClose, ...call }: CallSamplesProps & { readonly onClose: () => void }) => (
  <Dialog title={callsTexts.title} onClose={onClose} actions={<Button onClick={onClose}>{uiTexts.close}</Button>}>
    <CallSamples {...call} />
  </Dialog>
)
