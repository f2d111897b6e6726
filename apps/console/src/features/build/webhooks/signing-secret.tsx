import { webhooksTexts } from '../../../texts/webhooks.ts'
import { SecretOnce } from '../../../credentials/secret-once.tsx'

/** A secret that is shown once. */
export const SigningSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <SecretOnce
    text={webhooksTexts.secret}
    secret={secret}
    copyLabel={webhooksTexts.copySecret}
    doneLabel={webhooksTexts.done}
    onDone={onDone}
  />
)
