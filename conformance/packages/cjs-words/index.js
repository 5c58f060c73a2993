exports.shout = function shout(text) {
  return `${text.toUpperCase()}!`;
};
