/** The path of the only script of the pages for people. */
export const passkeyScriptPath = '/passkeys.js'

/**
 * Shows the form for passkeys in browsers that have them, and sends it with the credential. A page that consists of the ceremony begins it
 * with the button, because browsers want a gesture of the user.
 */
export const passkeyScript = `'use strict'
const form = document.getElementById('passkey')
const parse = { create: 'parseCreationOptionsFromJSON', get: 'parseRequestOptionsFromJSON' }
if (form && window.PublicKeyCredential && PublicKeyCredential[parse[form.dataset.ceremony]]) {
  const { ceremony, options, failure } = form.dataset
  const error = form.querySelector('.error')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    error.hidden = true
    try {
      const publicKey = PublicKeyCredential[parse[ceremony]](JSON.parse(options))
      const credential = await navigator.credentials[ceremony]({ publicKey })
      form.elements.credential.value = JSON.stringify(credential)
      form.submit()
    } catch {
      error.textContent = failure
      error.hidden = false
    }
  })
}
`
