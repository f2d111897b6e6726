export const paymentsTexts = {
  challenge: 'The bank that issued the card asks its holder to confirm this payment. It goes on when you come back.',
  noChallengePage:
    'The bank asks for a confirmation that cannot be given in this console. Use another card, or pay in the Money screen of an administrator.',
  openChallenge: 'Open the page of the bank',
  continue: 'Continue the payment',
  card: 'Card',
  cardName: (brand: string | null, last4: string | null) =>
    [brand ? brand[0]!.toUpperCase() + brand.slice(1) : 'Card', last4 ? `•••• ${last4}` : ''].join(' ').trim(),
  noCard: 'No card is saved yet.',
  addCard: 'Add a card',
  addThisCard: 'Save this card',
  cardElsewhere:
    'This platform takes real cards. They are saved in the form of the payment processor: ask an administrator to add one.',
  playMoneyCard: 'Play-money card',
  playMoney: 'This installation moves no real money.',
  playMoneyCards: {
    pm_card_good: 'Visa that pays',
    pm_card_3ds: 'Visa that asks for 3-D Secure',
    pm_card_declined: 'Visa that is declined',
  },
  topUp: 'Top up',
  amount: 'Credits to buy',
  minimum: (credits: string) => `A whole number, at least ${credits}.`,
  charge: (credits: string, aud: string) => `Buy ${credits} for ${aud}`,
  askApproval: 'Ask for credits',
  whyApproval: 'Your role may not charge a card. An owner, an administrator or the billing role decides.',
  request: 'Ask for approval',
  approvalRequested: (credits: string, until: string) =>
    `Asked for ${credits}. The request stands until ${new Date(until).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}. Your cart is kept.`,
} as const
