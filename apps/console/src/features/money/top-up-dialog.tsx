import { TopUp } from '../../payments/top-up.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** A round sum to begin with. */
const suggested_credits = 5000

/** Buys credits. */
export function TopUpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.money.topUp} onClose={onClose} actions={<Button onClick={onClose}>{texts.ui.cancel}</Button>}>
      <TopUp missing_credits={suggested_credits} onDone={onClose} isTitled={false} />
    </Dialog>
  )
}
