import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'

/** A secret that is shown once. */
export const SigningSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <>
    <p role="status">{webhooksTexts.secret}</p>
    <Identifier id={secret} />
    <div className={layout['row']}>
      <CopyButton label={webhooksTexts.copySecret} text={secret} />
      <Button onClick={onDone}>{webhooksTexts.done}</Button>
    </div>
  </>
)
