exports.shout = function shout(text) {
  return `${text.toUpperCase()}!`;
};

const remembered = new Set();

exports.remember = function remember(word) {
  remembered.add(word);
};

exports.remembers = function remembers(word) {
  return remembered.has(word);
};
