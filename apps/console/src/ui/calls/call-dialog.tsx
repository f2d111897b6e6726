import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { CallSamples, type CallSamplesProps } from './call-samples.tsx'

/** The call of an action or a screen, to be copied as a program. */
export const CallDialog = ({ onClose, ...call }: CallSamplesProps & { readonly onClose: () => void }) => (
  <Dialog title={texts.calls.title} onClose={onClose} actions={<Button onClick={onClose}>{texts.ui.close}</Button>}>
    <CallSamples {...call} />
  </Dialog>
)
