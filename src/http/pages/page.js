// What a browser with JavaScript has beside: one press is one attempt, a wrong password is told in place, and times
// are those of the visitor. Without it, each page does the same by itself.

const PAUSE_MS = 4000;

function prepare() {
  const { lang } = document.documentElement;
  const locale = navigator.languages.find((each) => each.startsWith(lang)) ?? lang;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    time.textContent = format.format(new Date(time.dateTime));
  }
  const toggle = document.querySelector('[data-show]');
  if (!toggle) return;
  toggle.closest('label').hidden = false;
  toggle.addEventListener('change', () => {
    document.querySelector('#password').type = toggle.checked ? 'text' : 'password';
  });
}

/** Once the form is sent, a second press would be a second view. Where a file came, the page can be used again. */
function endBusySoon(form) {
  setTimeout(() => form.removeAttribute('aria-busy'), PAUSE_MS);
}

function tellStarted(form) {
  const status = form.querySelector('[role=status]');
  status.textContent = status.dataset.started ?? '';
  for (const gone of document.querySelectorAll('[data-views]')) gone.remove(); // they have become fewer
}

function showAnswer(text) {
  const answer = new DOMParser().parseFromString(text, 'text/html');
  const typed = document.querySelector('#password').value;
  document.querySelector('main').replaceWith(document.adoptNode(answer.querySelector('main')));
  document.title = answer.title;
  prepare();
  const field = document.querySelector('#password');
  if (field) field.value = typed;
  field?.select();
  (field ?? document.querySelector('h1')).focus();
}

/** Asks whether the password is right, which spends nothing; only then is the form itself sent. */
async function ask(form) {
  const body = new URLSearchParams(new FormData(form));
  body.set('ask', 'true');
  const answer = await fetch(location.href, { method: 'POST', body, headers: { accept: 'text/html' } });
  if (!answer.ok) return showAnswer(await answer.text());
  const { type } = await answer.json();
  form.submit();
  endBusySoon(form);
  if (type === 'DOWNLOAD') tellStarted(form);
}

addEventListener('submit', (event) => {
  const form = event.target;
  const isBusy = form.hasAttribute('aria-busy');
  const asks = 'ask' in form.dataset;
  if (isBusy || asks) event.preventDefault();
  if (isBusy) return;
  form.setAttribute('aria-busy', 'true');
  if (asks) {
    ask(form).catch(() => {
      form.submit();
      endBusySoon(form);
    });
  } else {
    endBusySoon(form);
    tellStarted(form);
  }
});
prepare();
